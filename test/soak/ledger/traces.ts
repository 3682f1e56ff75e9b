import { LANES } from '../world/application';
import type { Entry } from '../world/journal';

/** A trace of one change, as a text by which it can be found: `Lane 1 = creator-7`. */
export type Trace = string;

export const valued = (part: string, value: string): Trace => `${part} = ${value}`;
export const rowAdded = (item: string): Trace => `row ${item}`;
export const rowMarked = (row: string, token: string): Trace => `row ${row} marked ${token}`;
export const fileAdded = (name: string): Trace => `file ${name}`;
export const gone = (what: 'record' | 'row' | 'file', id: string): Trace => `${what} ${id} gone`;

/** What a change did to a record. `before` is undefined for a new one. */
export function tracesOf(entry: Entry, before: Entry | undefined): Trace[] {
  if (entry.event === 'delete') return [gone('record', entry.record)];
  const rows = new Map(before?.rows.map((row) => [row.id, row]));
  const files = new Set(before?.files.map(({ id }) => id));
  const rowsNow = new Set(entry.rows.map(({ id }) => id));
  const filesNow = new Set(entry.files.map(({ id }) => id));
  return [
    ...['Key', ...LANES]
      .filter((part) => entry.texts[part] !== before?.texts[part])
      .map((part) => valued(part, entry.texts[part] ?? '')),
    ...entry.rows.flatMap(({ id, item, mark }) => [
      ...(rows.get(id)?.item === item ? [] : [rowAdded(rows.has(id) ? `${id} renamed ${item}` : item)]),
      ...(mark === (rows.get(id)?.mark ?? '') ? [] : [rowMarked(id, mark)]),
    ]),
    ...entry.files.filter(({ id }) => !files.has(id)).map(({ name }) => fileAdded(name)),
    ...[...rows.keys()].filter((id) => !rowsNow.has(id)).map((id) => gone('row', id)),
    ...[...files].filter((id) => !filesNow.has(id)).map((id) => gone('file', id)),
  ];
}
