import { assertOffered, type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { WriteContext } from '../../parts/model/codec';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/records';
import { settle } from '../../util/concurrently';

/**
 * Refuses choices that are no longer offered, before anything is sent, unless the record holds them. It is read only if
 * there are any.
 * @param recordId `null` for a record that is yet to be added.
 * @throws UserError
 */
export async function assertChoicesOffered(
  app: ApplicationSession,
  recordId: string | null,
  values: readonly EncodedPart[],
  context: WriteContext,
): Promise<void> {
  if (!hasUnoffered(values)) return;
  const current =
    recordId === null ? null : await settle(async () => await readCurrent(app, recordId, context));
  assertOffered(values, current !== null && 'value' in current ? current.value.record : null, context);
}
