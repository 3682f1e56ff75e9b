import type { Line } from '../ledger/ledger';
import { gone, type Trace } from '../ledger/traces';
import { addTo, type History } from './history';
import { Tally, type Section } from './tally';

const OPEN: readonly string[] = ['unknown', 'notReported', 'partly', 'deleted'];

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
    'lost: nobody asked to delete it',
  );
  const askedBy = new Map<Trace, Line[]>();
  for (const line of lines) for (const trace of line.removes ?? []) addTo(askedBy, trace, line);
  for (const line of lines) {
    if (line.reported === 'deleted' && line.removes) tally.count('deletions acknowledged');
    auditLine(line, history, tally, askedBy);
  }
  for (const { traces, ...change } of history.made) {
    for (const trace of traces.filter((each) => each.endsWith(' gone'))) {
      tally.count(`${trace.split(' ', 1)[0]}s deleted`);
      if (!askedBy.has(trace)) tally.violate('lost: nobody asked to delete it', { trace, ...change });
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
  const { reported, record, removes = [] } = line;
  if (reported === 'deleted' || reported === 'notFound') {
    // A row or a file is deleted with its record.
    const withRecord = record === undefined ? [] : history.at(gone('record', record));
    const there = withRecord.length > 0 ? [] : removes.filter((trace) => history.at(trace).length === 0);
    const kind = reported === 'deleted' ? 'said to be deleted but there' : 'said not to exist but there';
    if (there.length > 0) tally.violate(kind, { line, there });
    return;
  }
  const [trace = '', ...more] = removes;
  // An error for several records may stand for some that were deleted; it names them.
  if (OPEN.includes(reported) || more.length > 0 || history.at(trace).length === 0) return;
  const mayBeByOther = askedBy.get(trace)?.some((each) => OPEN.includes(each.reported)) ?? false;
  if (!mayBeByOther) tally.violate('refused but deleted', { line, trace });
}
