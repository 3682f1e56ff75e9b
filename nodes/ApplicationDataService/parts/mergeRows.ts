import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../util/userError';
import type { RowWrite, WriteContext, WriteValue } from './model/codec';
import { storedText } from './compare';
import { namePart } from './model/errors';
import { outputKey, partKey } from './model/keys';
import { assertAddressable } from './model/obstacle';
import type { Part } from './model/part';
import { assertNotRowId } from './types/rowWrite';
import { isObject } from './values/shapes';
import { readText } from './values/wire';
import { isWritable } from './writable';

/**
 * The rows to send so that only the given ones change. The service deletes rows that an update leaves out, and what
 * happens to child values that a sent row leaves out is not documented. So every row is sent, with all its values.
 * @param current the rows as they were read.
 * @param removed ids of rows to leave out.
 * @throws UserError if the service returns no row IDs, or a row to change does not exist.
 */
export function mergeRows(
  table: Part,
  rows: readonly RowWrite[],
  current: readonly unknown[],
  context: WriteContext,
  removed: ReadonlySet<string> = new Set(),
): RowWrite[] {
  const stored = readStoredRows(table, current);
  const changes = new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[row.id, row] as const])));
  assertPresent(table, changes, stored);
  const kept = [...stored]
    .filter(([id]) => !removed.has(id))
    .map(([id, row]) => keptRow(table, id, row, changes.get(id), context));
  return [...kept, ...rows.filter((row) => row.id === undefined)];
}

/**
 * The rows to send so that only the given ones remain, in the given order. A row with an ID keeps the values that are not
 * given, as in `mergeRows`.
 * @throws UserError as `mergeRows`.
 */
export function replaceRows(
  table: Part,
  rows: readonly RowWrite[],
  current: readonly unknown[],
  context: WriteContext,
): RowWrite[] {
  const stored = readStoredRows(table, current);
  assertPresent(
    table,
    new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[row.id, row] as const]))),
    stored,
  );
  return rows.map((row) => {
    const known = row.id === undefined ? undefined : stored.get(row.id);
    return row.id === undefined || known === undefined ? row : keptRow(table, row.id, known, row, context);
  });
}

/**
 * The rows by their ids, in their order.
 * @throws UserError if the service returns a row without an ID.
 */
export function readStoredRows(table: Part, current: readonly unknown[]): Map<string, IDataObject> {
  const rows = new Map<string, IDataObject>();
  for (const row of current) {
    const id = isObject(row) ? readText(row.id) : '';
    if (id === '' || rows.has(id)) throw withoutIds(table);
    rows.set(id, row as IDataObject);
  }
  return rows;
}

function withoutIds(table: Part): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be merged: the service returns no IDs for them`,
    'Without IDs, existing rows would be deleted or duplicated. To write all rows at once, update the record with the option "Table Row Mode" set to Replace. ' +
      "If the table part has a part of type ID, give it an identifier in the application's settings.",
  );
}

/** @throws UserError where stored rows have no ids, or none has the id that a row names. */
export function assertRowsPresent(table: Part, rows: readonly RowWrite[], current: readonly unknown[]): void {
  const named = rows.flatMap((row) => (row.id === undefined ? [] : [[row.id, row] as const]));
  if (named.length > 0) assertPresent(table, new Map(named), readStoredRows(table, current));
}

function assertPresent(
  table: Part,
  changes: ReadonlyMap<string, RowWrite>,
  stored: ReadonlyMap<string, IDataObject>,
): void {
  const missing = [...changes.keys()].filter((id) => !stored.has(id));
  if (missing.length === 0) return;
  throw new UserError(
    `${namePart(table)} has no row ${missing.join(', ')}`,
    'The row may have been deleted. Read the record again. A new row must have no id.',
  );
}

function keptRow(
  table: Part,
  id: string,
  row: IDataObject,
  change: RowWrite | undefined,
  context: WriteContext,
): RowWrite {
  const changed = new Map(change?.values.map(({ part, value }) => [part, value]));
  const values = table.children.filter(isWritable).flatMap((part) => {
    const given = changed.get(part);
    const value =
      given === undefined || given.kind === 'keep'
        ? keptValue(table, part, id, row, context)
        : withoutGoneFiles(given, row[outputKey(partKey(part, context.keyMode))]);
    return value.kind === 'keep' ? [] : [{ part, value }];
  });
  return { id, values };
}

/** Files to remove that do not exist count as removed. */
function withoutGoneFiles(value: WriteValue, stored: unknown): WriteValue {
  if (value.kind !== 'files' || !Array.isArray(stored)) return value;
  const there = new Set(stored.filter(isObject).map((file) => readText(file.id)));
  const remove = value.remove.filter((id) => there.has(id));
  return value.add.length + remove.length === 0 ? { kind: 'keep' } : { ...value, remove };
}

/**
 * The value that leaves a part unchanged. Files are kept without being sent.
 * @throws UserError if the row does not show the value, or shares its key with another part: the value could be lost.
 */
function keptValue(table: Part, part: Part, id: string, row: IDataObject, context: WriteContext): WriteValue {
  const key = partKey(part, context.keyMode);
  const isHidden = isObject(row.partErrors) && Object.hasOwn(row.partErrors, key);
  if (isHidden) throw notShown(table, part, id, 'Ask for the right to read the part');
  if (part.type === 'files') return { kind: 'keep' };
  if (key === '')
    throw notShown(table, part, id, `Give the part an ${context.keyMode} in the application's settings`);
  assertAddressable(part, table.children, context.keyMode);
  assertNotRowId(part, context);
  const shown = outputKey(key);
  if (!Object.hasOwn(row, shown)) return { kind: 'keep' };
  return { kind: 'text', text: storedText(part, row[shown], context) };
}

function notShown(table: Part, part: Part, id: string, advice: string): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be merged: row ${id} does not show ${namePart(part)}`,
    `Writing the rows would lose this value. ${advice}, or leave the table part out.`,
  );
}
