import type { WriteContext } from '../../parts/model/codec';
import { isNotOffered } from '../../parts/model/errors';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/current';
import { attempt, settle } from '../../util/concurrently';

/**
 * Reads the values for an existing record. A choice that the part no longer offers may be written back to a record that
 * contains it. The record is read only if a value would otherwise be refused for that.
 * @throws whatever `read` throws.
 */
export async function readForRecord<T>(
  app: ApplicationSession,
  recordId: string,
  context: WriteContext,
  read: (context: WriteContext) => T,
): Promise<T> {
  const first = attempt(() => read(context));
  if ('value' in first) return first.value;
  if (!isNotOffered(first.error)) throw first.error;
  const current = await settle(async () => await readCurrent(app, recordId, context));
  if ('error' in current) throw first.error;
  return read({ ...context, stored: current.value.record });
}

/**
 * The same where the record is found later: read as if it contained the choice, and why it is refused if it does not.
 * @throws whatever `read` throws for other reasons.
 */
export function readForAny<T>(
  context: WriteContext,
  read: (context: WriteContext) => T,
): { readonly read: T; readonly refusal: unknown } {
  const first = attempt(() => read(context));
  if ('value' in first) return { read: first.value, refusal: null };
  if (!isNotOffered(first.error)) throw first.error;
  return { read: read({ ...context, stored: 'any' }), refusal: first.error };
}
