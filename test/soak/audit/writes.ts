import type { Line } from '../ledger/line';
import { LANES } from '../world/application';
import type { Entry } from '../world/journal';
import { REFUSED_THOUGH_DONE, type Spell } from '../world/weather';
import { Tally, type Section } from './tally';
import type { Change, History } from './history';
import { addedTraces } from './traces';

const ACKNOWLEDGED = new Set(['created', 'updated']);
const WRITTEN_AGAIN = 'written again, as it was refused untruly';
const OPEN = new Set(['unknown', 'notReported', 'partly']);

/**
 * Checks what writes put into the application. What was acknowledged exists exactly once, what was refused does not,
 * and what is in doubt exists at most once. Guarded updates overwrote nobody's changes.
 */
export function auditWrites(lines: readonly Line[], history: History, untruths: readonly Spell[]): Section {
  const tally = new Tally(
    'acknowledged',
    'present exactly once',
    'missing',
    'done twice',
    WRITTEN_AGAIN,
    'not written (refused, conflict, unchanged)',
    'refused but done',
    'refused but done, as the service alone can know',
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
    const isUntrue = isDuring(untruths, line);
    const twice = changes.filter(({ length }) => length > 1);
    if (twice.length > 0) {
      if (isUntrue && mayWriteAgain(line) && isWrittenAgain(line, twice.flat())) tally.count(WRITTEN_AGAIN);
      else tally.violate('done twice', { line, entries: twice.map(entriesOf) });
    }
    if (ACKNOWLEDGED.has(line.reported)) auditAcknowledged(line, traces, changes, isUntrue, tally);
    else if (OPEN.has(line.reported)) countOpen(line, changes, tally);
    else {
      tally.count('not written (refused, conflict, unchanged)');
      const done = changes.filter(({ length }) => length > 0);
      if (done.length > 0 && isUntrue && isBelieved(line)) {
        tally.count('refused but done, as the service alone can know');
      } else if (done.length > 0) tally.violate('refused but done', { line, entries: done.map(entriesOf) });
    }
  }
  return tally;
}

function auditAcknowledged(
  line: Line,
  traces: readonly string[],
  changes: readonly (readonly Change[])[],
  isUntrue: boolean,
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
  // A further try finds by its key what the first one has added.
  const isFound = isUntrue && line.operation === 'upsert' && line.reported === 'updated';
  if (isElsewhere || (change.entry.event !== event && !isFound))
    tally.violate('reported wrongly', { line, entry: change.entry });
  if (ignoredGuard(line, change)) tally.violate('over changes of others', { line, change });
}

/**
 * Whether a node can only believe a refusal (docs/guarantees.md): of an insert; of plain values under no revision, or
 * under the user's.
 */
function isBelieved(line: Line): boolean {
  if (mayWriteAgain(line)) return true;
  const { operation, guard, message, reported } = line;
  const isRefusal = message?.includes(REFUSED_THOUGH_DONE) === true;
  if (operation === 'create') return isRefusal;
  if (!isPlain(line)) return false;
  const isConflict = reported === 'conflict' || message?.includes('was changed in the meantime') === true;
  return isRefusal || ((guard !== undefined || operation === 'upsert') && isConflict);
}

function isDuring(spells: readonly Spell[], { from, to }: Line): boolean {
  return spells.some(([begin, end]) => begin <= to && from <= end);
}

function isPlain({ rows = [], markedRow, files }: Line): boolean {
  return rows.length === 0 && markedRow === undefined && files === undefined;
}

/**
 * Whether there may be a further try that nothing tells what the first one did: of adding a record, or of plain values.
 * Then only that try is reported.
 */
function mayWriteAgain(line: Line): boolean {
  const { operation, guard, retries } = line;
  if (!retries) return false;
  if (operation === 'create') return true;
  return isPlain(line) && (operation === 'upsert' || (operation === 'update' && guard === undefined));
}

/** Whether it is the same change twice: of several records added, or of one record changed. */
function isWrittenAgain({ operation }: Line, changes: readonly Change[]): boolean {
  const added = new Set(changes.flatMap(({ entry }) => (entry.event === 'insert' ? [entry.number] : [])));
  if (operation === 'create') return changes.every(({ entry }) => added.has(entry.number));
  return added.size <= 1 && new Set(changes.map(({ entry }) => entry.record)).size === 1;
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
export function auditChanges(lines: readonly Line[], history: History, untruths: readonly Spell[]): Section {
  const tally = new Tally(
    'changes made',
    'asked for by nobody',
    'without any effect',
    WRITTEN_AGAIN,
    'lost values',
  );
  const repeating = lines.filter((line) => isDuring(untruths, line) && mayWriteAgain(line));
  const asked = new Set(lines.flatMap(addedTraces));
  const keys = new Set(lines.flatMap(({ key }) => (key === undefined ? [] : [`Key = ${key}`])));
  for (const { entry, before, traces } of history.made) {
    tally.count('changes made');
    if (entry.event === 'delete') continue;
    const strange = traces.filter(
      (trace) => !trace.endsWith(' gone') && !asked.has(trace) && !keys.has(trace),
    );
    if (strange.length > 0) tally.violate('asked for by nobody', { strange, entry, before });
    if (traces.length === 0) {
      if (repeating.some((line) => mayBeBy(line, entry))) tally.count(WRITTEN_AGAIN);
      else tally.violate('without any effect', { entry, before });
    }
    const emptied = LANES.filter((lane) => before?.lanes[lane] && entry.lanes[lane] === undefined);
    if (emptied.length > 0) tally.violate('lost values', { emptied, entry, before });
  }
  return tally;
}

function mayBeBy({ operation, record, key, from, to }: Line, entry: Entry): boolean {
  const isOfRecord = operation === 'upsert' ? key === entry.key : record === entry.record;
  return isOfRecord && from <= entry.at && entry.at <= to;
}

/** Checks that no two records with one key exist at any time, but for those that a further try had to add again. */
export function auditKeys(lines: readonly Line[], history: History, untruths: readonly Spell[]): Section {
  const tally = new Tally('keys', 'two records with one key');
  const addedAgain = new Set(
    lines.flatMap((line) => (line.operation === 'create' && isDuring(untruths, line) ? [line.key] : [])),
  );
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
    if (holder !== undefined && holder !== record && !addedAgain.has(key))
      tally.violate('two records with one key', { key, holder, entry });
    holders.set(key, record);
  }
  tally.count('keys', keys.size);
  return tally;
}

function entriesOf(changes: readonly Change[]): unknown[] {
  return changes.map(({ entry }) => entry);
}
