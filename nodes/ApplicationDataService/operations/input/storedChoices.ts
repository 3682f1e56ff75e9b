import type { WriteContext } from '../../parts/model/codec';
import { isNotOffered } from '../../parts/model/errors';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/current';
import { settle } from '../../util/concurrently';

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
  const first = await settle(async () => await Promise.resolve(read(context)));
  if ('value' in first) return first.value;
  if (!isNotOffered(first.error)) throw first.error;
  const current = await settle(async () => await readCurrent(app, recordId, context));
  if ('error' in current) throw first.error;
  return read({ ...context, stored: current.value.record });
}
