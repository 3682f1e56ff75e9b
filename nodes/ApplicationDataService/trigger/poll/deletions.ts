import { CALLS_AT_ONCE } from '../../service/application/session';
import { findMissing, isOfOne } from '../../service/read/notThere';
import { allOf, nullIf, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import { wasShort } from '../source/time';
import type { PollContext } from './context';

/** So many are looked up together; the first ones however little time there is. */
const PORTION = 8;

/**
 * Finds out what happened to the records that a scan did not meet: whether they were deleted, left the filter, or
 * moved between pages. One whose reading fails is left to the next scan.
 * @throws failures of the service as a whole.
 */
export async function settleMissing<T>(context: PollContext<T>): Promise<void> {
  const { state, source, settings, emitted, time } = context;
  const { records } = state;
  const missing = records.missing();
  if (missing.length === 0) return;
  // A filter may move on from thousands, which lists of their IDs still show.
  const shown = source.isNarrowed ? await nullIf(isOfOne, source.listByIds(missing)) : null;
  for (const { id } of shown ?? []) records.markOutside(id);
  const ids = records.missing();
  for (let start = 0; start < ids.length; start += PORTION) {
    const room = settings.events.has('deleted') ? settings.maxRecords - emitted.length : PORTION;
    if (room <= 0 || (start > 0 && time.left() <= 0)) return;
    await lookUp(ids.slice(start, start + Math.min(PORTION, room)), context);
  }
}

/** Looks up some records, and forgets those that are not there any more. The others are not missing any more. */
async function lookUp<T>(ids: readonly string[], context: PollContext<T>): Promise<void> {
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
  if (!isOfOne(outcome.error)) throw outcome.error;
  for (const id of ids) state.records.forgetMissing(id);
  warn(
    `Whether ${counted(ids.length, 'missing record is', 'missing records are')} deleted is not known; the next scan looks again: ${messageOf(outcome.error)}`,
  );
}

/** The deletion of a record outside the filter, or of one that was not told, is not told either. */
async function forget<T>(id: string, { state, settings, deliver, emitted }: PollContext<T>): Promise<void> {
  const { records, waiting } = state;
  const known = records.isOutside(id) ? undefined : records.get(id);
  if (known !== undefined && settings.events.has('deleted')) {
    const { revision: previousRevision, values: before } = known;
    const change = { event: 'deleted', id, revision: null, previousRevision, record: null, before } as const;
    const delivery = await deliver(change, true, 1);
    if ('item' in delivery) emitted.push({ event: 'deleted', id, item: delivery.item });
  }
  records.remove(id);
  waiting.delete(id);
}

/** How often some records outside the filter are looked for, and how many. */
const OUTSIDE_EVERY_MS = 300_000;
const MAX_OUTSIDE = 20;

/**
 * Counts some records outside the filter as missing, each time that the part definitions are read again: else those
 * that are deleted would stay in the state for ever.
 */
export function suspectOutside<T>({ state: { records }, source, time }: PollContext<T>): void {
  if (!source.isNarrowed || !source.isFresh) return;
  const all = records.outside();
  // Others each time: what was looked at last need not be remembered.
  const start = (Math.floor(time.clock.now() / OUTSIDE_EVERY_MS) * MAX_OUTSIDE) % (all.length || 1);
  for (const id of all.slice(start, start + MAX_OUTSIDE)) records.suspect(id);
}
