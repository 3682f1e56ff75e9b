import { wrongPart } from '../../call/refusals.ts';
import type { Part, Stored } from '../../parts/part.ts';

/** One row of a table part as it was sent (interface.md, "update_data"). */
export interface RowChange {
  /** Id of an existing row; undefined adds one. */
  readonly id: number | undefined;
  readonly values: ReadonlyMap<Part, Stored | undefined>;
}

/** Finds the child parts of the table part and reads their values. */
interface Children {
  /** The child part of a key; undefined to ignore the key. */
  part(key: string): Part | undefined;
  parse(part: Part, key: string, text: string): Stored | undefined;
}

/**
 * Reads the JSON of a table part: an array of objects keyed by child part, with `data_id` for existing rows.
 * @throws {@link ServiceError} naming the table part or the child part
 */
export function readRows(json: unknown, tableKey: string, children: Children): RowChange[] {
  if (!Array.isArray(json)) {
    throw wrongPart(tableKey, 'takes a JSON array of rows');
  }
  return json.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw wrongPart(tableKey, 'takes rows that are objects');
    }
    const { data_id: id, ...sent } = row as Record<string, unknown>;
    return { id: readRowId(id, tableKey), values: readValues(sent, children) };
  });
}

function readRowId(id: unknown, tableKey: string): number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrongPart(tableKey, 'has a row whose data_id is no id');
}

function readValues(sent: Record<string, unknown>, children: Children): Map<Part, Stored | undefined> {
  const values = new Map<Part, Stored | undefined>();
  for (const [key, value] of Object.entries(sent)) {
    const part = children.part(key);
    if (!part) continue;
    const text = textOf(value, key);
    if (part.type !== 'files') values.set(part, children.parse(part, key, text));
    else if (text !== '') throw wrongPart(key, 'takes files, not text');
  }
  return values;
}

function textOf(value: unknown, key: string): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw wrongPart(key, 'takes a text or a number');
}
