import { idNumber } from '../state/ids';
import type { RecordTable, Remembered } from '../state/recordTable';
import type { Baseline } from '../state/triggerState';
import type { PollSettings, RecordChange, RecordVersion, WholeRecord } from './context';

/** A record that was found new or changed, but is not yet read whole and output. */
export interface Candidate<R = unknown> {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again. */
  readonly version: RecordVersion<R> | null;
  readonly revision: number;
  /** What was remembered of it; absent for a new record. */
  readonly known: Remembered | undefined;
  /** Offset of the page that contained it; `null` if it was found elsewhere. */
  readonly offset: number | null;
}

/**
 * What to do with a record of a list: `emit` it, only `remember` it, or nothing.
 * @param isOld whether an unknown record existed before the trigger began.
 */
export function judge(
  version: RecordVersion,
  known: Remembered | undefined,
  isOld: boolean,
  { events, watched }: Pick<PollSettings, 'events' | 'watched'>,
  records: RecordTable,
): 'emit' | 'remember' | 'nothing' {
  if (known === undefined) return isOld || !events.has('created') ? 'remember' : 'emit';
  const changed = watched.length === 0 ? [true] : changedHashes(known, version);
  const isChanged = changed.includes(true);
  // A change without a new revision is reported with the next one.
  if (known.revision === version.revision)
    return !isChanged && lacksSomething(known, version, records) ? 'remember' : 'nothing';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  if (isChanged) return events.has('updated') ? 'emit' : 'remember';
  // A part that cannot be read now may have changed: the record stays as it is until it can be compared.
  return changed.includes(null) ? 'nothing' : 'remember';
}

/** Which hashes changed: not one that was unknown; `null` for one whose part is in error now. */
function changedHashes({ hashes }: Remembered, version: RecordVersion): (boolean | null)[] {
  return hashes.map((hash, index) => {
    const now = version.hashes[index];
    if (hash === 0) return false;
    return now === 0 ? null : now !== hash;
  });
}

/** Whether an unchanged record shows what was not known of it: hashes or values. */
function lacksSomething(known: Remembered, { hashes, values }: RecordVersion, records: RecordTable): boolean {
  if (known.hashes.some((hash, index) => hash === 0 && hashes[index] !== 0)) return true;
  if (values === undefined) return known.values !== undefined;
  if (known.values === undefined) return !records.isFull && values.some((value) => value !== '');
  return known.values.some((value, part) => (value === '') !== (values[part] === ''));
}

/** What to remember about a record that a list or a read shows. The hash of a part in error stays what it was. */
export function remembered(
  { revision, hashes, values }: RecordVersion,
  known: Remembered | undefined,
): Remembered {
  return { revision, hashes: hashes.map((hash, index) => hash || (known?.hashes[index] ?? 0)), values };
}

/** Whether an unknown record counts as one that existed when the trigger began. */
export function wasThereBefore(id: string, baseline: Baseline | null): boolean {
  if (baseline === null || baseline.emitExisting) return false;
  return baseline.highestId === null || idNumber(id) <= baseline.highestId;
}

/** The change of a candidate. @param seen what is compared of it. @param whole `null` if it cannot be read. */
export function changeOf<R>(
  { id, known, revision }: Candidate<R>,
  seen: RecordVersion | null,
  whole: WholeRecord<R> | null,
  failure?: unknown,
): RecordChange<R> {
  return {
    event: known === undefined ? 'created' : 'updated',
    id,
    revision: whole === null ? revision : whole.revision,
    previousRevision: known?.revision ?? null,
    record: whole === null ? null : whole.record,
    failure,
    before: known?.values,
    after: seen?.values,
    changed:
      known === undefined || seen === null
        ? null
        : changedHashes(known, seen).map((changed) => changed === true),
  };
}
