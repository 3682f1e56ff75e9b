import { LANES } from '../world/application';
import type { Request } from '../ledger/line';
import type { Entry } from '../world/journal';

/** Something that one change did, as a text by which it can be found: `Lane 1 = creator-7`. */
export type Place = string;

const lanePlace = (lane: string, token: string): Place => `${lane} = ${token}`;
const keyPlace = (key: string): Place => `Key = ${key}`;
const rowPlace = (item: string): Place => `row ${item}`;
const markPlace = (row: string, token: string): Place => `row ${row} marked ${token}`;
const filePlace = (name: string): Place => `file ${name}`;
export const rowGone = (row: string): Place => `row ${row} gone`;
export const fileGone = (file: string): Place => `file ${file} gone`;
export const recordGone = (record: string): Place => `record ${record} gone`;

/** What a change did to a record. `before` is undefined for a new one. */
export function placesOf(entry: Entry, before: Entry | undefined): Place[] {
  if (entry.event === 'delete') return [recordGone(entry.record)];
  const rows = new Map(before?.rows.map((row) => [row.id, row]));
  const files = new Set(before?.files.map(({ id }) => id));
  const rowsNow = new Set(entry.rows.map(({ id }) => id));
  const filesNow = new Set(entry.files.map(({ id }) => id));
  return [
    ...(entry.key !== (before?.key ?? '') ? [keyPlace(entry.key)] : []),
    ...LANES.filter((lane) => entry.lanes[lane] !== before?.lanes[lane]).map((lane) =>
      lanePlace(lane, entry.lanes[lane] ?? ''),
    ),
    ...entry.rows.filter(({ id }) => !rows.has(id)).map(({ item }) => rowPlace(item)),
    ...entry.rows
      .filter(({ id, mark }) => mark !== (rows.get(id)?.mark ?? ''))
      .map(({ id, mark }) => markPlace(id, mark)),
    ...entry.rows
      .filter(({ id, item }) => rows.has(id) && rows.get(id)?.item !== item)
      .map(({ id, item }) => `row ${id} renamed ${item}`),
    ...entry.files.filter(({ id }) => !files.has(id)).map(({ name }) => filePlace(name)),
    ...[...rows.keys()].filter((id) => !rowsNow.has(id)).map(rowGone),
    ...[...files].filter((id) => !filesNow.has(id)).map(fileGone),
  ];
}

/** What a request adds to the application. Each place contains the token, so no other request adds the same. */
export function addedPlaces({ token, record, key, lanes, rows, markedRow, files }: Request): Place[] {
  return [
    // A new record's key is the token. A matching key is shared with other requests.
    ...(record === null && key === token ? [keyPlace(key)] : []),
    ...(lanes ?? []).map((lane) => lanePlace(lane, token)),
    ...(rows ?? []).map(rowPlace),
    ...(markedRow === undefined ? [] : [markPlace(markedRow, token)]),
    ...(files ?? []).map(({ name }) => filePlace(name)),
  ];
}

/** What a request removes. Other requests may remove the same. */
export function removedPlaces({ removedRows, removedFiles, deleted }: Request): Place[] {
  return [
    ...(removedRows ?? []).map(rowGone),
    ...(removedFiles ?? []).map(fileGone),
    ...(deleted ?? []).map(recordGone),
  ];
}
