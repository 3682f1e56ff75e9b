import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../parts/compare';
import { heldRows } from '../../parts/heldRows';
import { assertRowsPresent, mergeRows, replaceRows } from '../../parts/mergeRows';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isEmpty, isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { isWritable } from '../../parts/writable';
import { UserError } from '../../util/userError';
import type { Contents } from './fileSteps';
import { lackingFiles } from './lackingFiles';

/** How given rows stand to those that are there. */
export interface RowTerms {
  readonly rowMode: 'merge' | 'replace';
  readonly context: WriteContext;
  readonly contents: Contents;
}

/** A given row, and the stored row that it stands for. */
interface Placed {
  readonly row: RowWrite;
  readonly stored: IDataObject | null;
}

/**
 * All rows to send so that a table part holds those given; `null` if it holds them already. A row without an id is there
 * where a stored row holds all that it gives; that one stays as it is, with its id. The order of such rows says nothing.
 * @param current the rows as they were read.
 * @throws UserError if the rows cannot be distinguished, are not shown, or one without an id would be added by `merge`.
 */
export function rowsInPlace(
  table: Part,
  rows: readonly RowWrite[],
  current: readonly unknown[],
  terms: RowTerms,
): readonly RowWrite[] | null {
  const { context, rowMode } = terms;
  assertRowsPresent(table, rows, current);
  const placed = place(table, rows, current, terms);
  const changed = placed.filter(
    ({ row, stored }) => stored === null || (row.id !== undefined && !holdsRow(table, row, stored, terms)),
  );
  if (rowMode === 'merge') {
    const fresh = changed.find(({ row }) => row.id === undefined);
    if (fresh !== undefined) throw withoutPlace(table);
    const lacking = changed.map(({ row, stored }) => withLackingFiles(row, stored, terms));
    return changed.length === 0 ? null : mergeRows(table, lacking, current, context);
  }
  const isWhole = placed.length === current.length && !isReordered(placed, current);
  if (changed.length === 0 && isWhole) return null;
  if (placed.every(({ row, stored }) => row.id === undefined && stored === null)) return rows;
  const sent = placed.map(({ row, stored }) => {
    if (stored === null || row.id !== undefined) return withLackingFiles(row, stored, terms);
    const id = readText(stored.id);
    return id === '' ? asGiven(table, row, stored, context) : { id, values: [] };
  });
  return sent.some(({ id }) => id !== undefined) ? replaceRows(table, sent, current, context) : sent;
}

/** Rows with an id stand for theirs, the others for stored rows that hold them. */
function place(
  table: Part,
  rows: readonly RowWrite[],
  current: readonly unknown[],
  terms: RowTerms,
): Placed[] {
  const stored = current.filter(isObject) as IDataObject[];
  const named = new Set(rows.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const others = stored.filter(({ id }) => !named.has(readText(id)));
  const unnamed = rows.filter(({ id }) => id === undefined);
  const places = heldRows(unnamed, others, (row, each) => holdsRow(table, row, each, terms));
  const byId = new Map(stored.map((each) => [readText(each.id), each]));
  const byRow = new Map(unnamed.map((row, index) => [row, others[places[index] ?? -1]]));
  return rows.map((row): Placed => ({
    row,
    stored: (row.id === undefined ? byRow.get(row) : byId.get(row.id)) ?? null,
  }));
}

/**
 * Whether a stored row holds all that a row gives.
 * @throws UserError if it does not show what a row without an id would have to be compared with.
 */
function holdsRow(table: Part, row: RowWrite, stored: IDataObject, { context, contents }: RowTerms): boolean {
  return row.values.every(({ part, value }) => {
    const key = partKey(part, context.keyMode);
    const shown = stored[outputKey(key)];
    const isHidden = isObject(stored.partErrors) && Object.hasOwn(stored.partErrors, key);
    if (isHidden && row.id === undefined && value.kind !== 'keep') throw notComparable(table, part);
    if (value.kind !== 'files') return holds(part, value, shown, context) === true;
    return lackingFiles(value, shown, contents)?.value.kind === 'keep';
  });
}

function withLackingFiles(
  row: RowWrite,
  stored: IDataObject | null,
  { context, contents }: RowTerms,
): RowWrite {
  if (stored === null) return row;
  const values = row.values.map(({ part, value }) => {
    if (value.kind !== 'files') return { part, value };
    const lacking = lackingFiles(value, stored[outputKey(partKey(part, context.keyMode))], contents);
    return { part, value: lacking?.value ?? value };
  });
  return { ...row, values };
}

/** Whether rows with ids stand in another order than they are given in. */
function isReordered(placed: readonly Placed[], current: readonly unknown[]): boolean {
  const placeOf = new Map(current.map((each, index) => [each, index]));
  const places = placed
    .filter(({ row }) => row.id !== undefined)
    .map(({ stored }) => placeOf.get(stored) ?? 0);
  return places.some((each, index) => index > 0 && each < (places[index - 1] ?? 0));
}

/**
 * A stored row without an ID can only be written as a new row. That is the same if it holds nothing but the given values.
 * @throws UserError if it does.
 */
function asGiven(table: Part, row: RowWrite, stored: IDataObject, { keyMode }: WriteContext): RowWrite {
  const given = new Set(row.values.filter(({ value }) => value.kind === 'text').map(({ part }) => part));
  const lost = table.children.find((child) => {
    const value = stored[outputKey(partKey(child, keyMode))];
    const isBare = isEmpty(value) || (Array.isArray(value) && value.length === 0);
    return isWritable(child) && !given.has(child) && !isBare;
  });
  if (lost === undefined) return row;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be changed: the service returns no IDs for them, and ${namePart(lost)} would be lost`,
    "If the table part has a part of type ID, give it an identifier in the application's settings. Or map this part, too.",
  );
}

function withoutPlace(table: Part): UserError {
  return new UserError(
    `A row for ${namePart(table)} has no ID, and the record has no equal row`,
    'With Merge, every run would add it again. Add the row IDs, or set the option "Table Row Mode" to Replace.',
  );
}

function notComparable(table: Part, part: Part): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be compared: the service does not show ${namePart(part)} in them`,
    'Ask for the right to read the part, or leave it out of the rows.',
  );
}
