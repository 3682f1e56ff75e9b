import type { Line, ReportedOutcome } from '../ledger/line';
import { Tally, type Section } from './tally';
import type { History } from './history';
import { recordGone, removedTraces, type Trace } from './traces';

const OPEN: ReadonlySet<ReportedOutcome> = new Set(['unknown', 'notReported', 'partly', 'deleted']);

/**
 * Checks everything that was removed: records, rows and files that were reported as deleted no longer exist, and
 * nothing was deleted that nobody asked to delete.
 */
export function auditRemovals(lines: readonly Line[], history: History): Section {
  const tally = new Tally(
    'deletions acknowledged',
    'said to be deleted but there',
    'said not to exist but there',
    'refused but deleted',
    'records deleted',
    'rows deleted',
    'files deleted',
    'lost: nobody asked to delete it',
  );
  const removals = lines.filter((line) => removedTraces(line).length > 0);
  const askedBy = groupByTrace(removals);
  for (const line of removals) auditLine(line, history, tally, askedBy);
  for (const { entry, before, traces } of history.made) {
    for (const trace of traces.filter((each) => each.endsWith(' gone'))) {
      tally.count(`${trace.split(' ', 1)[0]}s deleted`);
      if (!askedBy.has(trace)) tally.violate('lost: nobody asked to delete it', { trace, entry, before });
    }
  }
  return tally;
}

function auditLine(
  line: Line,
  history: History,
  tally: Tally,
  askedBy: ReadonlyMap<Trace, readonly Line[]>,
): void {
  const traces = removedTraces(line);
  const isGone = (trace: Trace): boolean => {
    // A row or a file is deleted with its record.
    const withRecord = line.record === null ? [] : history.at(recordGone(line.record));
    return history.at(trace).length > 0 || withRecord.length > 0;
  };
  if (line.reported === 'deleted' || line.reported === 'notFound') {
    if (line.reported === 'deleted') tally.count('deletions acknowledged');
    const there = traces.filter((trace) => !isGone(trace));
    const kind = line.reported === 'deleted' ? 'said to be deleted but there' : 'said not to exist but there';
    if (there.length > 0) tally.violate(kind, { line, there });
    return;
  }
  if (OPEN.has(line.reported)) return;
  const done = traces.filter((trace) => history.at(trace).length > 0 && !mayBeBy(askedBy.get(trace), line));
  // An error for several records may stand for some that were deleted; it names them.
  if (done.length > 0 && (line.deleted?.length ?? 0) <= 1)
    tally.violate('refused but deleted', { line, done });
}

function mayBeBy(lines: readonly Line[] | undefined, except: Line): boolean {
  return lines?.some((line) => line !== except && OPEN.has(line.reported)) ?? false;
}

function groupByTrace(lines: readonly Line[]): Map<Trace, Line[]> {
  const groups = new Map<Trace, Line[]>();
  for (const line of lines)
    for (const trace of removedTraces(line)) groups.set(trace, [...(groups.get(trace) ?? []), line]);
  return groups;
}
