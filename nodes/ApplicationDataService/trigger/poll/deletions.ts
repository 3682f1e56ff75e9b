import { NotRunningError } from '../../service/application/definition';
import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import { LateError } from '../source/time';
import { compareIds } from '../state/ids';
import type { PollContext } from './context';
import { eachInTime, IDS_PER_REQUEST, isOfOne, wasShort } from './emit';

/** Sizes of the first portion, which is looked up however little time there is, and of the largest. */
const FIRST_PORTION = 4;
const MAX_PORTION = 64;

/**
 * Finds out what happened to the records that a scan did not meet: whether they were deleted, left the filter, or
 * moved between pages. One whose reading fails is left to the next scan.
 * @throws failures of the service as a whole.
 */
export async function settleMissing<T>(context: PollContext<T>): Promise<void> {
  const { state, settings, emitted, time } = context;
  if (settings.narrowed) await findOutside(state.records.missing(), context);
  const ids = state.records.missing();
  const isEmitted = settings.events.has('deleted');
  for (let start = 0, size = FIRST_PORTION; start < ids.length; size = Math.min(MAX_PORTION, size * 2)) {
    const room = isEmitted ? settings.maxRecords - emitted.length : Infinity;
    if (room <= 0 || (start > 0 && time.left() <= 0)) return;
    const portion = ids.slice(start, start + Math.min(size, room));
    const gone = await findGone(portion, context);
    for (const id of portion) if (gone.has(id)) await forget(id, isEmitted, context);
    start += portion.length;
  }
}

/** How often a poll looks for some records outside the filter, and how many it reads one by one. */
const LOOK_OUTSIDE_EVERY_MS = 600_000;
const MAX_READ_OUTSIDE = 10;

/**
 * Forgets records outside the filter that are not there any more, some at a time: else they would stay in the state for
 * ever. @throws failures of the service as a whole.
 */
export async function lookOutside<T>(context: PollContext<T>): Promise<void> {
  const { state, source, settings, memory, time } = context;
  const now = time.clock.now();
  if (!settings.narrowed || now - memory.outside.at < LOOK_OUTSIDE_EVERY_MS || time.left() <= 0) return;
  const all = state.records.outside();
  const later = all.filter((id) => compareIds(id, memory.outside.after) > 0);
  const ids = (later.length > 0 ? later : all).slice(0, IDS_PER_REQUEST);
  if (ids.length === 0) return;
  const listed = new Set((await source.listByIds(ids, false, false))?.map(({ id }) => id));
  const unseen = ids.filter((id) => !listed.has(id)).slice(0, MAX_READ_OUTSIDE);
  for (const id of await findGone(unseen, context)) await forget(id, false, context);
  memory.outside = { at: now, after: unseen.at(-1) ?? ids.at(-1)! };
}

/** Marks those that are there, by lists of their IDs: a filter may move on from thousands. */
async function findOutside<T>(
  ids: readonly string[],
  { source, state, time }: PollContext<T>,
): Promise<void> {
  for (let start = 0; start < ids.length && time.left() > 0; start += IDS_PER_REQUEST) {
    const there = await source.listByIds(ids.slice(start, start + IDS_PER_REQUEST), false, false);
    if (there === null) return;
    for (const { id } of there) state.records.markOutside(id);
  }
}

/** Which of these records are not there any more. The others are not missing any more. */
async function findGone<T>(ids: readonly string[], context: PollContext<T>): Promise<ReadonlySet<string>> {
  const { source, state, warn, time } = context;
  const refused: string[] = [];
  await eachInTime(ids, { left: () => 1 }, async (id) => {
    const withinMs = time.left() / 2;
    const read = await settle(async () => await source.read(id, withinMs));
    if ('value' in read && read.value === null) refused.push(id);
    else if ('value' in read) {
      isThere(id, read.value!.revision, context);
    } else if (wasShort(read.error, withinMs, time)) {
      // It stays missing: the next poll looks before it scans, with all of its time.
    } else if (isOfOne(read.error)) {
      state.records.forgetMissing(id);
      warn(
        `Record ${id} is missing from the list, and reading it fails; the next scan looks again: ${messageOf(read.error)}`,
      );
    } else throw read.error;
  });
  const before = time.left();
  const found = await settle(async () => await source.findMissing(refused, state.records.lastListed));
  const gone = 'value' in found ? found.value : new Set<string>();
  if ('error' in found && !saysNothing(found.error, before >= time.total / 4)) throw found.error;
  for (const id of refused) if (!gone.has(id)) state.records.forgetMissing(id);
  if ('error' in found)
    warn(
      `Whether ${counted(refused.length, 'missing record is', 'missing records are')} deleted is not known; the next scan looks again: ${messageOf(found.error)}`,
    );
  return gone;
}

/**
 * Whether a failed look says nothing about the records, so that the scan must not wait for it: others cannot be read,
 * either, or it took too long although it had the time.
 */
function saysNothing(error: unknown, hadTime: boolean): boolean {
  if (error instanceof NotRunningError) return false;
  return error instanceof LateError ? hadTime : isOfOne(error);
}

/** With a filter, it left it. Else it moved between pages while these were read. */
function isThere<T>(id: string, revision: number | null, { state, settings }: PollContext<T>): void {
  const { records, waiting } = state;
  if (settings.narrowed) return records.markOutside(id);
  records.forgetMissing(id);
  if (revision !== null && records.get(id)?.revision !== revision && !waiting.has(id))
    waiting.set(id, { tries: 0, revision });
}

async function forget<T>(id: string, isEmitted: boolean, context: PollContext<T>): Promise<void> {
  const { state, deliver, emitted } = context;
  const known = state.records.get(id);
  if (known === undefined) return;
  if (isEmitted) {
    const change = { event: 'deleted', id, revision: null, record: null } as const;
    const delivery = await deliver(
      { ...change, previousRevision: known.revision, before: known.values },
      true,
      1,
    );
    if ('item' in delivery) emitted.push({ event: 'deleted', id, item: delivery.item });
  }
  state.records.remove(id);
  state.waiting.delete(id);
}
