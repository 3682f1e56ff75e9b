import type { Line } from '../ledger/line';
import { LANES } from '../world/application';
import { Tally, type Section } from './tally';
import type { Change, History } from './history';
import { addedTraces } from './traces';

const ACKNOWLEDGED = new Set(['created', 'updated']);
const OPEN = new Set(['unknown', 'notReported', 'partly']);

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
    'outcome unknown: done',
    'outcome unknown: not done',
    'not reported (the run ended before): done',
    'not reported (the run ended before): not done',
    'over changes of others',
    'reported wrongly',
  );
  for (const line of lines) {
    const traces = addedTraces(line);
    if (traces.length === 0) continue;
    const changes = traces.map((trace) => history.at(trace));
    const twice = changes.filter(({ length }) => length > 1);
    if (twice.length > 0) tally.violate('done twice', { line, entries: twice.map(entriesOf) });
    if (ACKNOWLEDGED.has(line.reported)) auditAcknowledged(line, traces, changes, tally);
    else if (OPEN.has(line.reported)) countOpen(line, changes, tally);
    else {
      tally.count('not written (refused, conflict, unchanged)');
      const done = changes.filter(({ length }) => length > 0);
      if (done.length > 0) tally.violate('refused but done', { line, entries: done.map(entriesOf) });
    }
  }
  return tally;
}

function auditAcknowledged(
  line: Line,
  traces: readonly string[],
  changes: readonly (readonly Change[])[],
  tally: Tally,
): void {
  tally.count('acknowledged');
  const missing = traces.filter((_, index) => changes[index]?.length === 0);
  if (missing.length > 0) return tally.violate('missing', { line, missing });
  if (changes.every(({ length }) => length === 1)) tally.count('present exactly once');
  const change = changes.flat().find(({ entry }) => entry.record === line.id) ?? changes.flat()[0];
  if (change === undefined) return;
  const isElsewhere = line.id !== undefined && line.id !== change.entry.record;
  // A row is reported as "created", but its record is updated.
  const event = line.reported === 'created' && line.operation !== 'addRow' ? 'insert' : 'update';
  if (isElsewhere || change.entry.event !== event)
    tally.violate('reported wrongly', { line, entry: change.entry });
  if (ignoredGuard(line, change)) tally.violate('over changes of others', { line, change });
}

/** Whether an update was made although its guard forbade it. */
function ignoredGuard({ guard, lanes = [] }: Line, { entry, before }: Change): boolean {
  if (guard === undefined) return false;
  if (guard.policy !== 'merge') return entry.revision !== guard.revision + 1;
  return lanes.some((lane) => before?.lanes[lane] !== guard.lanes[lane]);
}

function countOpen({ reported }: Line, changes: readonly (readonly Change[])[], tally: Tally): void {
  const done = changes.some(({ length }) => length > 0) ? 'done' : 'not done';
  if (reported === 'notReported') tally.count(`not reported (the run ended before): ${done}`);
  else if (reported === 'partly') tally.count('attachments not verified');
  else tally.count(`outcome unknown: ${done}`);
}

/** Checks that everything that was done was asked for, and that no change was made twice. */
export function auditChanges(lines: readonly Line[], history: History): Section {
  const tally = new Tally('changes made', 'asked for by nobody', 'without any effect', 'lost values');
  const asked = new Set(lines.flatMap(addedTraces));
  const keys = new Set(lines.flatMap(({ key }) => (key === undefined ? [] : [`Key = ${key}`])));
  for (const { entry, before, traces } of history.made) {
    tally.count('changes made');
    if (entry.event === 'delete') continue;
    const strange = traces.filter(
      (trace) => !trace.endsWith(' gone') && !asked.has(trace) && !keys.has(trace),
    );
    if (strange.length > 0) tally.violate('asked for by nobody', { strange, entry, before });
    if (traces.length === 0) tally.violate('without any effect', { entry, before });
    const emptied = LANES.filter((lane) => before?.lanes[lane] && entry.lanes[lane] === undefined);
    if (emptied.length > 0) tally.violate('lost values', { emptied, entry, before });
  }
  return tally;
}

/** Checks that no two records with one key exist at any time. */
export function auditKeys(history: History): Section {
  const tally = new Tally('keys', 'two records with one key');
  const holders = new Map<string, string>();
  const keys = new Set<string>();
  for (const { entry } of history.changes) {
    const { key, record, event } = entry;
    keys.add(key);
    const holder = holders.get(key);
    if (event === 'delete') {
      if (holder === record) holders.delete(key);
      continue;
    }
    if (holder !== undefined && holder !== record)
      tally.violate('two records with one key', { key, holder, entry });
    holders.set(key, record);
  }
  tally.count('keys', keys.size);
  return tally;
}

function entriesOf(changes: readonly Change[]): unknown[] {
  return changes.map(({ entry }) => entry);
}
