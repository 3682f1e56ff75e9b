import { LANES } from '../world/application';
import type { Request } from '../ledger/line';
import type { Entry } from '../world/journal';

/** A trace of one change, as a text by which it can be found: `Lane 1 = creator-7`. */
export type Trace = string;

const laneTrace = (lane: string, token: string): Trace => `${lane} = ${token}`;
const keyTrace = (key: string): Trace => `Key = ${key}`;
const rowTrace = (item: string): Trace => `row ${item}`;
const markTrace = (row: string, token: string): Trace => `row ${row} marked ${token}`;
const fileTrace = (name: string): Trace => `file ${name}`;
const rowGone = (row: string): Trace => `row ${row} gone`;
const fileGone = (file: string): Trace => `file ${file} gone`;
export const recordGone = (record: string): Trace => `record ${record} gone`;

/** What a change did to a record. `before` is undefined for a new one. */
export function tracesOf(entry: Entry, before: Entry | undefined): Trace[] {
  if (entry.event === 'delete') return [recordGone(entry.record)];
  const rows = new Map(before?.rows.map((row) => [row.id, row]));
  const files = new Set(before?.files.map(({ id }) => id));
  const rowsNow = new Set(entry.rows.map(({ id }) => id));
  const filesNow = new Set(entry.files.map(({ id }) => id));
  return [
    ...(entry.key !== (before?.key ?? '') ? [keyTrace(entry.key)] : []),
    ...LANES.filter((lane) => entry.lanes[lane] !== before?.lanes[lane]).map((lane) =>
      laneTrace(lane, entry.lanes[lane] ?? ''),
    ),
    ...entry.rows.filter(({ id }) => !rows.has(id)).map(({ item }) => rowTrace(item)),
    ...entry.rows
      .filter(({ id, mark }) => mark !== (rows.get(id)?.mark ?? ''))
      .map(({ id, mark }) => markTrace(id, mark)),
    ...entry.rows
      .filter(({ id, item }) => rows.has(id) && rows.get(id)?.item !== item)
      .map(({ id, item }) => `row ${id} renamed ${item}`),
    ...entry.files.filter(({ id }) => !files.has(id)).map(({ name }) => fileTrace(name)),
    ...[...rows.keys()].filter((id) => !rowsNow.has(id)).map(rowGone),
    ...[...files].filter((id) => !filesNow.has(id)).map(fileGone),
  ];
}

/** What a request adds to the application. Each trace contains the token, so no other request adds the same. */
export function addedTraces({ token, record, key, lanes, rows, markedRow, files }: Request): Trace[] {
  return [
    // A new record's key is the token. A matching key is shared with other requests.
    ...(record === null && key === token ? [keyTrace(key)] : []),
    ...(lanes ?? []).map((lane) => laneTrace(lane, token)),
    ...(rows ?? []).map(rowTrace),
    ...(markedRow === undefined ? [] : [markTrace(markedRow, token)]),
    ...(files ?? []).map(({ name }) => fileTrace(name)),
  ];
}

/** What a request removes. Other requests may remove the same. */
export function removedTraces({ removedRows, removedFiles, deleted }: Request): Trace[] {
  return [
    ...(removedRows ?? []).map(rowGone),
    ...(removedFiles ?? []).map(fileGone),
    ...(deleted ?? []).map(recordGone),
  ];
}
