import type { Remembered } from '../state/remembered';
import { idNumber } from '../state/idOrder';
import type { Baseline } from '../state/triggerState';
import type { Head, WholeRecord } from './recordSource';
import type { Change, PollSettings } from './settings';

/** A record that was found new or changed, but is not yet read whole and output. */
export interface Candidate {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again. */
  readonly head: Head | null;
  /** Its revision in the list; `null` if unknown. */
  readonly revision: number | null;
  /** What was remembered of it; absent for a new record. */
  readonly known: Remembered | undefined;
  /** Offset of the page that contained it; `null` if it was found elsewhere. */
  readonly offset: number | null;
  /** ID of the record before it in the list; `null` if there is none, or it was found elsewhere. */
  readonly before: string | null;
  /** How many polls tried it. */
  readonly tries: number;
}

/**
 * What to do with a record of a list: `emit` it, only `remember` it, or nothing.
 * @param isOld whether an unknown record existed before the trigger began.
 * @param isFull whether there is no room left for values.
 */
export function judge(
  head: Head,
  known: Remembered | undefined,
  isOld: boolean,
  { events, differs }: Pick<PollSettings, 'events' | 'differs'>,
  isFull = false,
): 'emit' | 'remember' | 'nothing' {
  if (known === undefined) return isOld || !events.has('created') ? 'remember' : 'emit';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  const isChanged = (): boolean | null => differs === null || differs(known, head);
  if (known.revision === head.revision)
    // A change without a new revision is reported with the next one.
    return lacksValues(known, head, isFull) && isChanged() !== true ? 'remember' : 'nothing';
  const verdict = isChanged();
  // It cannot be compared now, so it stays as it is until it can.
  if (verdict === null) return 'nothing';
  return events.has('updated') && verdict ? 'emit' : 'remember';
}

/** Values are kept from the moment that was switched on; the value of a part in error as soon as it can be read. */
function lacksValues({ values: kept }: Remembered, { hash, values }: Head, isFull: boolean): boolean {
  if (kept === undefined || values === undefined) return !isFull && kept !== values && hash !== null;
  return kept.some((value, index) => value === '' && values[index] !== '');
}

/** What to remember about a record that a list or a read shows. */
export function remembered(
  head: Head,
  known: Remembered | undefined,
  { hashOf }: Pick<PollSettings, 'hashOf'>,
): Remembered {
  const { revision, hash, values } = head;
  return { revision, hash: hashOf?.(head, known) ?? hash ?? known?.hash ?? 0, values };
}

/** Whether an unknown record counts as one that existed when the trigger began. */
export function wasThereBefore(id: string, baseline: Baseline | null): boolean {
  if (baseline === null || baseline.emitExisting) return false;
  const number = idNumber(id);
  return baseline.highestId === null || number < 0 || number <= baseline.highestId;
}

/**
 * Whether records that existed when the trigger began may follow this one: then a short page is not the end. Newer ones
 * are found by the next scan, too, and the scan of a steadily growing application would never end. If existing
 * records are output, all records are output in order.
 */
export function mayPrecedeOld(id: string, baseline: Baseline | null): boolean {
  if (baseline === null) return false;
  const { highestId, emitExisting } = baseline;
  return emitExisting || highestId === null || idNumber(id) < highestId;
}

/** The change of a candidate. @param whole the record; `null` if it cannot be read. */
export function changeOf<R>(
  { id, known, revision }: Candidate,
  whole: WholeRecord<R> | null,
  after: readonly string[] | undefined,
): Change<R> {
  return {
    event: known === undefined ? 'created' : 'updated',
    id,
    revision: whole === null ? revision : whole.revision,
    previousRevision: known?.revision ?? null,
    record: whole === null ? null : whole.record,
    before: known?.values,
    after,
  };
}
