import type { LedgerContents, Line } from '../ledger/ledger';
import { LANES, sameLanes } from '../world/application';
import type { History } from './history';
import { Tally, type Section } from './tally';

/** Checks what the service held at any time, and what the nodes showed of it. */
export function auditState(
  ledger: LedgerContents,
  hashes: ReadonlyMap<string, string>,
  history: History,
): Section {
  const tally = new Tally(
    'asked for by nobody',
    'without any effect',
    'lost values',
    'two records with one key',
    'wrong content of a file',
    'never was like this',
    'access key in an error',
  );
  auditChanges(ledger.lines, history, tally);
  auditKeys(history, tally);
  const stored = [...history.records.keys()].flatMap((record) => history.now(record)?.files ?? []);
  tally.count('files stored', stored.length);
  tally.count('files downloaded', ledger.seenFiles.length);
  for (const file of [...stored, ...ledger.seenFiles]) {
    const sha256 = 'sha256' in file ? file.sha256 : (hashes.get(file.id) ?? 'none');
    if (!file.name.includes(sha256)) tally.violate('wrong content of a file', { file, sha256 });
  }
  tally.count('records read', ledger.seen.length);
  for (const seen of ledger.seen) {
    const state = history.state(seen.id, seen.revision);
    if (state === undefined || !sameLanes(state.texts, seen.lanes))
      tally.violate('never was like this', { seen, state });
  }
  for (const text of ledger.leaks) tally.violate('access key in an error', { length: text.length });
  return tally;
}

/** Checks that everything that was done was asked for, and that no change was made twice. */
function auditChanges(lines: readonly Line[], history: History, tally: Tally): void {
  const asked = new Set(lines.flatMap(({ adds = [], key }) => [...adds, key]));
  tally.count('changes made', history.made.length);
  for (const { entry, before, traces } of history.made) {
    if (entry.event === 'delete') continue;
    const strange = traces.filter((trace) => !trace.endsWith(' gone') && !asked.has(trace));
    if (strange.length > 0) tally.violate('asked for by nobody', { strange, entry, before });
    // Several write State: after a lost answer, an overwrite is sent again if somebody else has changed it meanwhile.
    const isEffective = traces.length > 0 || entry.texts.State !== before?.texts.State;
    if (!isEffective) tally.violate('without any effect', { entry, before });
    const emptied = LANES.filter((lane) => before?.texts[lane] && !entry.texts[lane]);
    if (emptied.length > 0) tally.violate('lost values', { emptied, entry, before });
  }
}

/** Checks that no two records with one key exist at any time. */
function auditKeys(history: History, tally: Tally): void {
  const holders = new Map<string, string>();
  for (const { entry } of history.changes) {
    const { record, event, texts } = entry;
    const key = texts.Key ?? '';
    const holder = holders.get(key);
    if (event !== 'delete') {
      if ((holder ?? record) !== record) tally.violate('two records with one key', { key, holder, entry });
      holders.set(key, record);
    } else if (holder === record) holders.delete(key);
  }
}
