import { CALLS_AT_ONCE } from '../../service/application/session';
import { findMissing, isAboutOneRecord } from '../../service/read/notThere';
import { allOf, nullIf, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import { IDS_PER_LIST } from '../source/recordSource';
import { wasShort } from '../source/time';
import type { PollContext } from './context';

/** So many are looked up together; the first ones however little time there is. */
const PORTION = 8;

/**
 * Finds out what happened to the records that scans did not meet, in order: whether they were deleted, left the filter,
 * or were only left out. One whose reading fails is left to the next scan. Where deletions are not wanted, all are out
 * of sight.
 * @throws failures of the service as a whole.
 */
export async function resolveMissing<T>(context: PollContext<T>): Promise<void> {
  const { state, source, settings, emitted, time } = context;
  const { records } = state;
  const missing = records.missing();
  if (!settings.events.has('deleted')) for (const id of missing.splice(0)) records.markOutside(id);
  let isFirst = true;
  const room = (): number =>
    isFirst || time.left() > 0 ? Math.min(PORTION, settings.maxRecords - emitted.length) : 0;
  while (missing.length > 0 && room() > 0) {
    const some = missing.splice(0, IDS_PER_LIST);
    // A filter may move on from thousands, which lists of their IDs still show.
    const listed = source.isNarrowed ? await nullIf(isAboutOneRecord, source.listByIds(some)) : null;
    const shown = new Set(listed?.map(({ id }) => id));
    for (const id of shown) records.markOutside(id);
    for (const left = some.filter((id) => !shown.has(id)); left.length > 0 && room() > 0; isFirst = false)
      await lookUpMissing(left.splice(0, room()), context);
  }
}

/** Looks up some records, and forgets those that are not there any more. The others are not missing any more. */
async function lookUpMissing<T>(ids: readonly string[], context: PollContext<T>): Promise<void> {
  const { source, time } = context;
  const { records } = context.state;
  const refused = new Set<string>();
  const look = async (id: string): Promise<void> => {
    if ((await source.read(id, time.left() / 2)) === null) refused.add(id);
    else if (source.isNarrowed) records.markOutside(id);
    else records.forgetMissing(id);
  };
  const looks = ids.map((id) => async () => await orNextScan([id], async () => await look(id), context));
  await allOf(looks, CALLS_AT_ONCE);
  const unread = ids.filter((id) => refused.has(id));
  const prove = async (): Promise<void> => {
    const gone = await source.call(
      async (app) => await findMissing(app, unread, records.lastListed),
      time.left(),
    );
    for (const id of unread)
      if (gone.has(id)) await forget(id, context);
      else records.forgetMissing(id);
  };
  await orNextScan(unread, prove, context);
}

/**
 * Leaves records to the next scan if the look at them fails; to the next poll, which looks before it scans, if it only
 * had too little time. @throws failures of the service as a whole.
 */
async function orNextScan<T>(
  ids: readonly string[],
  look: () => Promise<void>,
  { state, time, warn }: PollContext<T>,
): Promise<void> {
  const withinMs = time.left() / 2;
  const outcome = await settle(look);
  if (!('error' in outcome) || wasShort(outcome.error, withinMs, time)) return;
  if (!isAboutOneRecord(outcome.error)) throw outcome.error;
  for (const id of ids) state.records.forgetMissing(id);
  warn(
    `Whether ${counted(ids.length, 'missing record is', 'missing records are')} deleted is not known; the next scan looks again: ${messageOf(outcome.error)}`,
  );
}

async function forget<T>(id: string, { state, deliver, emitted }: PollContext<T>): Promise<void> {
  const { records, waiting } = state;
  const { revision: previousRevision, values: before } = records.get(id)!;
  const change = { event: 'deleted', id, revision: null, previousRevision, record: null, before } as const;
  // Of a deletion, nothing is downloaded that would take time.
  const delivery = await deliver(change, true, 1);
  if ('item' in delivery) emitted.push({ event: 'deleted', id, item: delivery.item });
  records.remove(id);
  waiting.delete(id);
}
