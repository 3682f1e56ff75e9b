import { holds, writeBack } from '../../parts/compare';
import { assertRowOffered } from '../../parts/encode';
import type { Part, RowWrite, WriteContext, WriteValue } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import { assertAddressable, isWritable } from '../../parts/model/obstacle';
import { type HasFiles, placeRows, storedRows, type StoredRow } from '../../parts/placeRows';
import { describeExisting, describeList } from '../../parts/values/describe';
import { isEmpty, isObject, readText } from '../../parts/values/shapes';
import { attempt } from '../../util/concurrently';
import { asUserError, UserError } from '../../util/userError';
import { valueOf } from '../../parts/types/entries';
import { lackingFiles, withoutHeldFiles } from './files';
import type { Contents } from './form';

/** How given rows stand to those of the record. */
export interface RowTerms {
  readonly context: WriteContext;
  /** Whether rows that are not given stay. */
  readonly rowMode: 'merge' | 'replace';
  /** Leave out what the record holds already. */
  readonly onlyChanges: boolean;
  /**
   * For Sync: the files that the values name. What is given then describes a state, so that writing it again changes
   * nothing: files count by name, and `merge` compares rows without an ID, too, and does not add one that is nowhere.
   */
  readonly contents?: Contents | undefined;
}

/** All rows to send, and whether they differ from those that are stored. */
interface RowsToSend {
  readonly rows: readonly RowWrite[];
  readonly differ: boolean;
}

/** A table part, its rows as they are, and the terms. */
interface Table extends RowTerms {
  readonly part: Part;
  readonly stored: readonly StoredRow[];
}

/** A given row, and the stored row that it stands for. */
interface Placed {
  readonly row: RowWrite;
  readonly stored: StoredRow | null;
}

/**
 * All rows to send so that a table part holds those given. A row is placed by its ID, else by equal content, else it is
 * added.
 * @param value the table part as it was read, simplified.
 * @throws UserError if rows cannot be changed safely: they have no IDs, do not show a value, or a named one is missing.
 */
export function rowsToSend(
  table: Part,
  given: readonly RowWrite[],
  value: readonly unknown[],
  terms: RowTerms,
): RowsToSend & { readonly otherFiles: number } {
  const stored = storedRows(value)!;
  assertRowsPresent(table, given, stored);
  const isState = terms.contents !== undefined;
  // With Merge, Update adds rows without an ID; Sync compares them.
  const candidates = isState || terms.rowMode === 'replace' ? stored : stored.filter(isNamedBy(given));
  // For Sync, files are there by their names; else a row that adds files is another one.
  const hasFiles: HasFiles = (row, own) => isState && holdsRow({ row, stored: own }, terms);
  const rows = placeRows(given, candidates, terms.context, hasFiles);
  const placed = given.map((row, index): Placed => ({ row, stored: rows[index] ?? null }));
  for (const [index, each] of placed.entries())
    assertRowOffered(table, index, each.row, each.stored, terms.context);
  const to: Table = { ...terms, part: table, stored };
  if (candidates === stored) assertComparable(to, placed);
  const otherFiles = placed.reduce((sum, each) => sum + otherFilesIn(each, terms), 0);
  return { ...(terms.rowMode === 'merge' ? merged(to, placed) : replaced(to, placed)), otherFiles };
}

/** How many files a stored row keeps although another one of the same name is given, see `lackingFiles`. */
function otherFilesIn({ row, stored }: Placed, { context, contents }: RowTerms): number {
  return row.values.reduce((sum, { part, value }) => {
    if (stored === null || value.kind !== 'files') return sum;
    return sum + (lackingFiles(value, valueOf(stored, part, context), contents)?.otherSize ?? 0);
  }, 0);
}

function isNamedBy(given: readonly RowWrite[]): (row: StoredRow) => boolean {
  const named = new Set(given.map(({ id }) => id));
  return ({ id }) => named.has(readText(id));
}

/** @throws UserError where stored rows have no IDs, or none has the ID that a row names. */
function assertRowsPresent(table: Part, rows: readonly RowWrite[], stored: readonly StoredRow[]): void {
  const named = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (named.length === 0) return;
  const byId = rowsById(table, stored);
  const missing = named.filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  throw new UserError(
    `${namePart(table)} has no row ${describeList(missing)}`,
    `${describeExisting('rows', [...byId.keys()])} The row may have been deleted. Read the record again. A new row must have no id.`,
  );
}

/** @throws UserError if a given row may stand for a stored one that does not show the parts to compare. */
function assertComparable({ part: table, stored, context }: Table, placed: readonly Placed[]): void {
  const given = placed.flatMap(({ row, stored: own }) => (own === null ? row.values : []));
  const parts = new Set(given.flatMap(({ part, value }) => (value.kind === 'keep' ? [] : [part])));
  const hidden = [...parts].find((part) => stored.some((row) => isHidden(row, part, context)));
  if (hidden === undefined) return;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be compared: the service does not show ${namePart(hidden)} in them`,
    'Ask for the right to read the part, or leave it out of the rows.',
  );
}

function merged(to: Table, placed: readonly Placed[]): RowsToSend {
  const added = placed.filter((each) => each.stored === null).map(({ row }) => row);
  const named = placed.filter(({ row }) => row.id !== undefined);
  const differ = added.length > 0 || !named.every((each) => holdsRow(each, to));
  if (added.length > 0 && to.contents !== undefined) throw withoutPlace(to.part);
  if (!differ && to.onlyChanges) return { rows: [], differ };
  const changes = named.map(({ row }) => row);
  return { rows: mergeRows(to.part, changes, added, to.stored, to), differ };
}

function replaced(to: Table, placed: readonly Placed[]): RowsToSend {
  const { part: table, stored } = to;
  const differ =
    placed.length !== stored.length || isReordered(to, placed) || !placed.every((each) => holdsRow(each, to));
  if (!differ && to.onlyChanges) return { rows: [], differ };
  const keep = rowKeeper(table, to);
  const rows = placed.map(({ row, stored: own }): RowWrite => {
    if (own === null) return row;
    const id = readText(own.id);
    if (row.id !== undefined) return keep(id, own, row);
    return id === '' ? asGiven(table, row, own, to.context) : keep(id, own);
  });
  // A row without an ID among others that have one cannot be told from a new one.
  if (rows.some(({ id }) => id !== undefined)) rowsById(table, stored);
  return { rows, differ };
}

/**
 * The rows to send so that only some change. The service deletes rows that an update leaves out, and what happens to
 * child values that a sent row leaves out is not documented. So every row is sent, with all its values.
 * @param changes of stored rows, by their IDs.
 * @param removed IDs of rows to leave out.
 * @throws UserError if the service returns no row IDs.
 */
export function mergeRows(
  table: Part,
  changes: readonly RowWrite[],
  added: readonly RowWrite[],
  stored: readonly StoredRow[],
  terms: Pick<RowTerms, 'context' | 'contents'>,
  removed: ReadonlySet<string> = new Set(),
): RowWrite[] {
  const byId = rowsById(table, stored);
  const changesById = new Map(changes.map((row) => [row.id, row]));
  const keep = rowKeeper(table, terms);
  const kept = [...byId].filter(([id]) => !removed.has(id));
  return [...kept.map(([id, row]) => keep(id, row, changesById.get(id))), ...added];
}

/**
 * The rows by their IDs, in their order.
 * @throws UserError if the service returns a row without an ID.
 */
export function rowsById(table: Part, stored: readonly StoredRow[]): Map<string, StoredRow> {
  const rows = new Map(stored.map((row) => [readText(row.id), row]));
  if (!rows.has('') && rows.size === stored.length) return rows;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be merged: the service returns no IDs for them`,
    'Without IDs, existing rows would be deleted or duplicated. To write all rows at once, update the record with the option "Table Row Mode" set to Replace. ' +
      "If the table part has a part of type ID, give it an identifier in the application's settings.",
  );
}

type Keeper = (id: string, row: StoredRow, change?: RowWrite) => RowWrite;

/** How stored rows are sent: with what changes in them, and with all that stays. */
function rowKeeper(table: Part, { context, contents }: Pick<RowTerms, 'context' | 'contents'>): Keeper {
  const children = table.children.filter(isWritable);
  const keepers = children.map((part) => ({ part, keep: valueKeeper(table, part, context) }));
  return (id, row, change) => {
    const given = new Map(change?.values.map(({ part, value }) => [part, value]));
    const values = keepers.flatMap(({ part, keep }) => {
      const wanted = given.get(part);
      const value =
        wanted === undefined || wanted.kind === 'keep'
          ? keep(id, row)
          : withoutHeldFiles(wanted, valueOf(row, part, context), contents);
      return value.kind === 'keep' ? [] : [{ part, value }];
    });
    return { id, values };
  };
}

/**
 * The value that leaves a part of a row unchanged. Files are kept without being sent.
 * @throws UserError if a row does not show the value, or shares its key with another part: the value could be lost.
 */
function valueKeeper(
  table: Part,
  part: Part,
  context: WriteContext,
): (id: string, row: StoredRow) => WriteValue {
  const key = partKey(part, context.keyMode);
  const holdsFiles = part.codec.content === 'files';
  const shown = outputKey(key);
  let isChecked = false;
  return (id, row) => {
    if (isHidden(row, part, context)) throw notShown(table, part, id, 'Ask for the right to read the part');
    if (holdsFiles) return { kind: 'keep' };
    if (key === '')
      throw notShown(table, part, id, `Give the part an ${context.keyMode} in the application's settings`);
    if (!isChecked) {
      assertAddressable(part, table, context.keyMode);
      isChecked = true;
    }
    if (!Object.hasOwn(row, shown)) return { kind: 'keep' };
    const kept = attempt(() => writeBack(part, row[shown], context));
    if ('value' in kept) return kept.value;
    const { message, description } = asUserError(kept.error);
    throw new UserError(`Row ${id} of ${namePart(table)} cannot be kept: ${message}`, description);
  };
}

/** Whether a stored row says that it does not show a part. */
function isHidden(row: StoredRow, part: Part, { keyMode }: WriteContext): boolean {
  return isObject(row.partErrors) && Object.hasOwn(row.partErrors, partKey(part, keyMode));
}

/** Whether a stored row holds all that a row gives. */
function holdsRow({ row, stored }: Placed, { context, contents }: RowTerms): boolean {
  return (
    stored !== null &&
    row.values.every(({ part, value }) => {
      const shown = valueOf(stored, part, context);
      return value.kind === 'files'
        ? withoutHeldFiles(value, shown, contents).kind === 'keep'
        : holds(part, value, shown, context) === true;
    })
  );
}

/**
 * Whether rows stand in another order than they are given in. For Sync, the order of rows without an ID says nothing.
 */
function isReordered({ stored, contents }: Table, placed: readonly Placed[]): boolean {
  const placeOf = new Map(stored.map((each, index) => [each, index]));
  const places = placed
    .filter(({ row }) => contents === undefined || row.id !== undefined)
    .map((each) => (each.stored === null ? 0 : (placeOf.get(each.stored) ?? 0)));
  return places.some((each, index) => index > 0 && each < (places[index - 1] ?? 0));
}

/**
 * A stored row without an ID can only be written as a new row. That is the same if it holds nothing but the given
 * values.
 * @throws UserError if it does.
 */
function asGiven(table: Part, row: RowWrite, stored: StoredRow, context: WriteContext): RowWrite {
  const given = new Set(row.values.filter(({ value }) => value.kind === 'text').map(({ part }) => part));
  const lost = table.children.find((child) => {
    if (given.has(child) || !isWritable(child)) return false;
    const value = valueOf(stored, child, context);
    return !isEmpty(value) && !(Array.isArray(value) && value.length === 0);
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

function notShown(table: Part, part: Part, id: string, advice: string): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be merged: row ${id} does not show ${namePart(part)}`,
    `Writing the rows would lose this value. ${advice}, or leave the table part out.`,
  );
}
