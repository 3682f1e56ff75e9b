import type { Remembered } from '../state/remembered';
import { idNumber } from '../state/idOrder';
import type { Baseline } from '../state/triggerState';
import type { Head, WholeRecord } from './recordSource';
import type { Change, PollSettings } from './settings';

/** A record that was found new or changed, still to be read whole and given. */
export interface Candidate {
  readonly id: string;
  /** As the list showed it; `null` where it is tried again. */
  readonly head: Head | null;
  /** Its revision in the list; `null` where that is not known. */
  readonly revision: number | null;
  /** What was remembered of it; absent for a new record. */
  readonly known: Remembered | undefined;
  /** Offset of the page on which it stood; `null` where it was found elsewhere. */
  readonly offset: number | null;
  /** ID of the record before it in the list; `null` where there is none, or it was found elsewhere. */
  readonly before: string | null;
  /** Polls in which it was tried. */
  readonly tries: number;
}

/**
 * What is to be done with a record of a list: `emit` it, only `remember` it, or nothing.
 * @param isOld whether a record that is not known was there before the trigger began.
 * @param isFull whether there is no room for more values.
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
    // What changed although its revision did not is told with the next one.
    return lacksValues(known, head, isFull) && isChanged() !== true ? 'remember' : 'nothing';
  const verdict = isChanged();
  // It cannot be compared now, so it keeps its place until it can.
  if (verdict === null) return 'nothing';
  return events.has('updated') && verdict ? 'emit' : 'remember';
}

/** Values are kept from the moment on in which that was switched on, and that of a part in error once it can be read. */
function lacksValues({ values: kept }: Remembered, { hash, values }: Head, isFull: boolean): boolean {
  if (kept === undefined || values === undefined) return !isFull && kept !== values && hash !== null;
  return kept.some((value, index) => value === '' && values[index] !== '');
}

/** What is remembered of a record that a list or a read shows. */
export function remembered(
  head: Head,
  known: Remembered | undefined,
  { hashOf }: Pick<PollSettings, 'hashOf'>,
): Remembered {
  const { revision, hash, values } = head;
  return { revision, hash: hashOf?.(head, known) ?? hash ?? known?.hash ?? 0, values };
}

/** Whether a record that is not known counts as one that existed when the trigger began. */
export function wasThereBefore(id: string, baseline: Baseline | null): boolean {
  if (baseline === null || baseline.emitExisting) return false;
  const number = idNumber(id);
  return baseline.highestId === null || number < 0 || number <= baseline.highestId;
}

/**
 * Whether records that existed when the trigger began may come after one: then a short page is no end yet. Newer ones
 * are found by the next scan, too, and an application that grows all the time would never come to an end. Where existing
 * records are given, all that comes is given in its order.
 */
export function mayPrecedeOld(id: string, baseline: Baseline | null): boolean {
  if (baseline === null) return false;
  const { highestId, emitExisting } = baseline;
  return emitExisting || highestId === null || idNumber(id) < highestId;
}

/** The change that a candidate went through. @param whole `null` where it cannot be read. */
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
