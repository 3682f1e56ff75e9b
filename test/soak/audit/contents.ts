import type { Line, Seen, SeenFile } from '../ledger/line';
import { LANES, type Lanes } from '../world/application';
import { Tally, type Section } from './tally';
import type { History } from './history';

/** Checks that attached files have the content that was sent, in storage and as they were downloaded. */
export function auditFiles(
  lines: readonly Line[],
  seenFiles: readonly SeenFile[],
  history: History,
  hashes: ReadonlyMap<string, string>,
): Section {
  const tally = new Tally('files stored', 'files downloaded', 'wrong content', 'wrong content downloaded');
  const sent = new Map(lines.flatMap(({ files }) => (files ?? []).map((file) => [file.name, file.sha256])));
  for (const record of history.records.keys()) {
    for (const file of history.now(record)?.files ?? []) {
      tally.count('files stored');
      if (hashes.get(file.id) !== sent.get(file.name))
        tally.violate('wrong content', { record, file, stored: hashes.get(file.id) });
    }
  }
  for (const file of seenFiles) {
    tally.count('files downloaded');
    if (sent.get(file.name) !== file.sha256) tally.violate('wrong content downloaded', file);
  }
  return tally;
}

/** Checks that records that were read had these values under their revision. */
export function auditReads(seen: readonly Seen[], history: History): Section {
  const tally = new Tally('records read', 'never was like this');
  for (const each of seen) {
    tally.count('records read');
    const state = history.state(each.id, each.revision);
    if (state === undefined || !sameLanes(state.lanes, each.lanes))
      tally.violate('never was like this', { each, state });
  }
  return tally;
}

export function sameLanes(one: Lanes, other: Lanes): boolean {
  return LANES.every((lane) => one[lane] === other[lane]);
}
