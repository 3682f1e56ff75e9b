import { isDeepStrictEqual } from 'node:util';

import type { Line } from '../ledger/ledger';
import type { Change, History } from './history';
import { Tally, type Section } from './tally';

/** The outcomes after which a write may or may not have been done. */
const OPEN: Readonly<Record<string, string>> = {
  unknown: 'outcome unknown',
  notReported: 'not reported (the run ended before)',
  partly: 'attachments not verified',
};

/**
 * Checks what writes put into the application. What was acknowledged exists exactly once, what was refused does not,
 * and what is in doubt exists at most once. Guarded updates overwrote nobody's changes.
 */
export function auditWrites(lines: readonly Line[], history: History): Section {
  const tally = new Tally(
    'acknowledged',
    'present exactly once',
    'missing',
    'done twice',
    'not written (refused, conflict, unchanged)',
    'refused but done',
    'over changes of others',
    'reported wrongly',
  );
  for (const line of lines) {
    const { adds = [], reported } = line;
    if (adds.length === 0) continue;
    const done = adds.flatMap((trace) => history.at(trace));
    const isTwice = adds.some(
      (trace) => history.at(trace).length > 1 && !wasSentAgain(line, history.at(trace)),
    );
    if (isTwice) tally.violate('done twice', { line, done });
    if (reported === 'created' || reported === 'updated') {
      tally.count('acknowledged');
      const missing = adds.filter((trace) => history.at(trace).length === 0);
      if (missing.length > 0) tally.violate('missing', { line, missing });
      else auditDone(line, done, tally);
      if (missing.length === 0 && !isTwice) tally.count('present exactly once');
    } else if (OPEN[reported] !== undefined) {
      tally.count(`${OPEN[reported]}: ${done.length > 0 ? 'done' : 'not done'}`);
    } else {
      tally.count('not written (refused, conflict, unchanged)');
      if (done.length > 0) tally.violate('refused but done', { line, done });
    }
  }
  return tally;
}

/**
 * Whether a plain value was written again over what somebody else had written meanwhile: an overwrite does so after a
 * lost answer. Nothing else may: no row, no file, no new record, and no update under a revision.
 */
function wasSentAgain({ operation, guard }: Line, changes: readonly Change[]): boolean {
  const [first, ...others] = changes;
  const isOverwrite = guard === undefined && ['record update', 'record upsert'].includes(operation);
  const isSameValue = ({ entry: { event, record, rows, files }, before }: Change): boolean =>
    event === 'update' &&
    record === first!.entry.record &&
    isDeepStrictEqual([rows, files], [before?.rows, before?.files]);
  return isOverwrite && others.every(isSameValue);
}

/** Checks that an acknowledged write was done as it was reported, and as its guard allows. */
function auditDone(line: Line, done: readonly Change[], tally: Tally): void {
  const change = done.find(({ entry }) => entry.record === line.id) ?? done[0]!;
  const { record, event } = change.entry;
  // A row is reported as "created", but its record is updated.
  const expected = line.reported === 'created' && line.operation !== 'tableRow add' ? 'insert' : 'update';
  if (event !== expected || (line.id ?? record) !== record)
    tally.violate('reported wrongly', { line, change });
  if (ignoredGuard(line, change)) tally.violate('over changes of others', { line, change });
}

/** Whether an update was made although its guard forbade it. */
function ignoredGuard({ guard }: Line, { entry, before }: Change): boolean {
  if (guard === undefined) return false;
  if (guard.policy !== 'merge') return entry.revision !== guard.revision + 1;
  return Object.entries(guard.lanes).some(([lane, read]) => (before?.texts[lane] ?? '') !== read);
}
