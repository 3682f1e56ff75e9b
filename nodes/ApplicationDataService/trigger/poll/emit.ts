import type { RecordTable } from '../state/recordTable';
import type { Candidate } from './candidates';
import type { Change } from './settings';
import type { WholeRecord } from './recordSource';
import type { WholeRecords } from './wholeRecords';

/** What was made of candidates. */
export interface Emission<R> {
  readonly changes: Change<R>[];
  /** Candidates that are still to be emitted: they keep their place in the table as it was. */
  readonly left: Candidate[];
}

/** Turns candidates that were read into changes, and remembers these as emitted. */
export function emit<R>(
  candidates: readonly Candidate[],
  { records, refused }: WholeRecords<R>,
  table: RecordTable,
): Emission<R> {
  const changes: Change<R>[] = [];
  const left: Candidate[] = [];
  for (const candidate of candidates) {
    const { id } = candidate.head;
    const whole = records.get(id);
    if (whole !== undefined) {
      const change = toChange(candidate, whole);
      if (change !== null) changes.push(change);
      table.set(id, { revision: whole.revision, hash: hashOf(candidate, whole) });
      table.markSeen(id);
    } else if (!refused.has(id)) left.push(candidate);
  }
  return { changes, left };
}

/** `null` where the record, when it was read, was what is already known of it: the list was older. */
function toChange<R>({ known }: Candidate, { id, revision, record }: WholeRecord<R>): Change<R> | null {
  if (known === undefined) return { event: 'created', id, revision, previousRevision: null, record };
  if (known.revision === revision) return null;
  return { event: 'updated', id, revision, previousRevision: known.revision, record };
}

/** Of the same revision the list's own hash, since lists are what it is compared with. */
function hashOf({ head }: Candidate, whole: { revision: number; hash: number }): number {
  return head.revision === whole.revision ? head.hash : whole.hash;
}
