import { allOf, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import type { PollContext } from './context';
import { AT_ONCE, IDS_PER_REQUEST, wasShort } from './emit';
import { isOfOne } from '../../service/read/notThere';

/** So many are looked up together; the first ones however little time there is. */
const PORTION = 8;

/**
 * Finds out what happened to the records that a scan did not meet: whether they were deleted, left the filter, or
 * moved between pages. One whose reading fails is left to the next scan.
 * @throws failures of the service as a whole.
 */
export async function settleMissing<T>(context: PollContext<T>): Promise<void> {
  const { state, settings, emitted, time } = context;
  if (settings.narrowed) await markOutside(state.records.missing(), context);
  const ids = state.records.missing();
  const isEmitted = settings.events.has('deleted');
  for (let start = 0; start < ids.length; start += PORTION) {
    const room = isEmitted ? settings.maxRecords - emitted.length : PORTION;
    if (room <= 0 || (start > 0 && time.left() <= 0)) return;
    await settleSome(ids.slice(start, start + Math.min(PORTION, room)), isEmitted, context);
  }
}

/** Marks those that are there, by lists of their IDs: a filter may move on from thousands. */
async function markOutside<T>(ids: readonly string[], context: PollContext<T>): Promise<void> {
  const { source, state, time } = context;
  for (let start = 0; start < ids.length && time.left() > 0; start += IDS_PER_REQUEST) {
    const there = await source.listByIds(ids.slice(start, start + IDS_PER_REQUEST), false, false);
    if (there === null) return;
    for (const { id } of there) state.records.markOutside(id);
  }
}

/** Looks up some records, and forgets those that are not there any more. The others are not missing any more. */
async function settleSome<T>(
  ids: readonly string[],
  isEmitted: boolean,
  context: PollContext<T>,
): Promise<void> {
  const { source, settings, time } = context;
  const { records } = context.state;
  const refused: string[] = [];
  const look = async (id: string): Promise<void> => {
    if ((await source.read(id, time.left() / 2)) === null) refused.push(id);
    else if (settings.narrowed) records.markOutside(id);
    else records.forgetMissing(id);
  };
  await allOf(
    ids.map((id) => async () => await orNextScan([id], look(id), time.left() / 2, context)),
    AT_ONCE,
  );
  const proof = async (): Promise<void> => {
    const gone = await source.findMissing(refused, records.lastListed);
    for (const id of refused) records.forgetMissing(id);
    for (const id of ids) if (gone.has(id)) await forget(id, isEmitted, context);
  };
  await orNextScan(refused, proof(), time.left(), context);
}

/**
 * Leaves records to the next scan if the look at them fails; to the next poll, which looks before it scans, if it only
 * had too little time. @throws failures of the service as a whole.
 */
async function orNextScan<T>(
  ids: readonly string[],
  look: Promise<void>,
  withinMs: number,
  { state, time, warn }: PollContext<T>,
): Promise<void> {
  const outcome = await settle(async () => await look);
  if (!('error' in outcome) || wasShort(outcome.error, withinMs, time)) return;
  if (!isOfOne(outcome.error)) throw outcome.error;
  for (const id of ids) state.records.forgetMissing(id);
  warn(
    `Whether ${counted(ids.length, 'missing record is', 'missing records are')} deleted is not known; the next scan looks again: ${messageOf(outcome.error)}`,
  );
}

/** How often some records outside the filter are looked for, and how many are read one by one. */
const OUTSIDE_EVERY_MS = 300_000;
const MAX_READ_OUTSIDE = 10;

/**
 * Forgets records outside the filter that are not there any more, some each time that the part definitions are read
 * again: else they would stay in the state for ever. @throws failures of the service as a whole.
 */
export async function forgetOutside<T>(context: PollContext<T>): Promise<void> {
  const { state, source, settings, time } = context;
  if (!settings.narrowed || !source.isFresh || time.left() <= 0) return;
  const all = state.records.outside();
  if (all.length === 0) return;
  // Others each time: what was looked at last need not be remembered.
  const start = (Math.floor(time.clock.now() / OUTSIDE_EVERY_MS) * IDS_PER_REQUEST) % all.length;
  const ids = all.slice(start, start + IDS_PER_REQUEST);
  const listed = await source.listByIds(ids, false, false);
  const unseen = ids.filter((id) => listed?.every((each) => each.id !== id) !== false);
  await settleSome(unseen.slice(0, MAX_READ_OUTSIDE), false, context);
}

async function forget<T>(id: string, isEmitted: boolean, context: PollContext<T>): Promise<void> {
  const { state, deliver, emitted } = context;
  const known = state.records.get(id);
  if (known === undefined) return;
  if (isEmitted) {
    const { revision: previousRevision, values: before } = known;
    const change = { event: 'deleted', id, revision: null, previousRevision, record: null, before } as const;
    const delivery = await deliver(change, true, 1);
    if ('item' in delivery) emitted.push({ event: 'deleted', id, item: delivery.item });
  }
  state.records.remove(id);
  state.waiting.delete(id);
}
