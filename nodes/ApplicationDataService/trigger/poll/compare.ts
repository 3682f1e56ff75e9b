import { idNumber } from '../state/ids';
import type { Remembered } from '../state/recordTable';
import type { Baseline, TriggerState } from '../state/triggerState';
import type { Change, Head, PollSettings, WholeRecord } from './contract';

/** With less than this share of the room, records go back from one hash to a hash for each part. */
const ROOM_FOR_EACH = 0.9;

/** A record that was found new or changed, but is not yet read whole and output. */
export interface Candidate<R = unknown> {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again. */
  readonly head: Head<R> | null;
  /** Its revision in the list; `null` if unknown. */
  readonly revision: number | null;
  /** What was remembered of it; absent for a new record. */
  readonly known: Remembered | undefined;
  /** Offset of the page that contained it; `null` if it was found elsewhere. */
  readonly offset: number | null;
  /** ID of the record before it in the list; `null` if there is none, or it was found elsewhere. */
  readonly before: string | null;
}

type Verdict = 'emit' | 'remember' | 'nothing';
type Compared = Pick<TriggerState, 'records' | 'isFull'>;

/**
 * What to do with a record of a list: `emit` it, only `remember` it, or nothing.
 * @param isOld whether an unknown record existed before the trigger began.
 */
export function judge(
  head: Head,
  known: Remembered | undefined,
  isOld: boolean,
  { events, watched }: Pick<PollSettings, 'events' | 'watched'>,
  table: Compared,
): Verdict {
  if (known === undefined) return isOld || !events.has('created') ? 'remember' : 'emit';
  const change = watched.length === 0 ? true : hasChanged(known, head);
  // A change without a new revision is reported with the next one.
  if (known.revision === head.revision)
    return change !== true && lacksSomething(known, head, table) ? 'remember' : 'nothing';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  if (change === true) return events.has('updated') ? 'emit' : 'remember';
  // A part that cannot be read now may have changed: the record stays as it is until it can be compared.
  return change === null ? 'nothing' : 'remember';
}

/** Whether a watched part changed; `null` if none did, but one that was known is in error now. */
function hasChanged(known: Remembered, head: Head): boolean | null {
  if (known.isJoint === true) {
    if (head.hashes.all === null) return null;
    return (known.hashes[0] ?? 0) !== 0 && !sides(head).some(({ all }) => all === known.hashes[0]);
  }
  if (changedParts(known, head).includes(true)) return true;
  return known.hashes.some((hash, part) => hash !== 0 && head.hashes.each[part] === 0) ? null : false;
}

/**
 * Which watched parts changed. One that was unknown, or is now in error, has not. A hash counts for the columns of which it
 * was made.
 */
function changedParts(known: Remembered, head: Head): boolean[] {
  return known.hashes.map((hash, part) => {
    if (hash === 0 || head.hashes.each[part] === 0) return false;
    return !sides(head).some(({ each }) => each[part] === hash);
  });
}

function sides({ hashes, earlier = [] }: Head): readonly Head['hashes'][] {
  return earlier.length === 0 ? [hashes] : [hashes, ...earlier];
}

/** Whether an unchanged record shows what was not known of it: hashes, values, or a hash for each part. */
function lacksSomething(known: Remembered, head: Head, { records, isFull }: Compared): boolean {
  const { hashes, values } = head;
  if (known.isJoint === true) {
    if (!hashes.each.includes(0) && records.hasRoomForEach(ROOM_FOR_EACH)) return true;
    if ((known.hashes[0] ?? 0) === 0 && hashes.all !== null && hashes.all !== 0) return true;
  } else if (known.hashes.some((hash, part) => hash !== hashes.each[part] && hashes.each[part] !== 0))
    return true;
  if (values === undefined) return known.values !== undefined;
  if (known.values === undefined) return !isFull && values.some((value) => value !== '');
  return known.values.some((value, part) => (value === '') !== (values[part] === ''));
}

/** What to remember about a record that a list or a read shows. The hash of a part in error stays what it was. */
export function remembered(head: Head, known: Remembered | undefined, { records }: Compared): Remembered {
  const { revision, hashes, values } = head;
  const wasJoint = known?.isJoint === true;
  const isWhole = !hashes.each.includes(0);
  const staysJoint = wasJoint && !(isWhole && records.hasRoomForEach(ROOM_FOR_EACH));
  if (hashes.each.length > 1 && (staysJoint || !records.hasRoomForEach())) {
    const before = wasJoint ? (known.hashes[0] ?? 0) : 0;
    return { revision, hashes: [hashes.all ?? before], isJoint: true, values };
  }
  const before = wasJoint ? [] : (known?.hashes ?? []);
  return { revision, hashes: hashes.each.map((hash, part) => hash || (before[part] ?? 0)), values };
}

/** Whether an unknown record counts as one that existed when the trigger began. */
export function wasThereBefore(id: string, baseline: Baseline | null): boolean {
  if (baseline === null || baseline.emitExisting) return false;
  return baseline.highestId === null || idNumber(id) <= baseline.highestId;
}

/** The change of a candidate. @param seen what is compared of it. @param whole the record; `null` if it cannot be read. */
export function changeOf<R>(
  { id, known, revision }: Candidate<R>,
  seen: Head | null,
  whole: WholeRecord<R> | null,
): Change<R> {
  return {
    event: known === undefined ? 'created' : 'updated',
    id,
    revision: whole === null ? revision : whole.revision,
    previousRevision: known?.revision ?? null,
    record: whole === null ? null : whole.record,
    before: known?.values,
    after: seen?.values,
    parts: known === undefined || known.isJoint === true || seen === null ? null : changedParts(known, seen),
  };
}
