import type { IDataObject } from 'n8n-workflow';

import { canonicalText, holds, storedText } from '../../parts/compare';
import { assertRowOffered } from '../../parts/encode';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeExisting } from '../../parts/values/describe';
import { isEmpty, isObject, readText } from '../../parts/values/shapes';
import { isWritable } from '../../parts/codecs';
import { UserError } from '../../util/userError';
import { valueOf } from '../read/records';
import type { Contents } from './files';
import { isHidden, keptRow, mergeRows, readStoredRows, withoutHeldFiles } from './mergeRows';

/** How given rows stand to those of the record. */
interface RowTerms {
  readonly context: WriteContext;
  /** Whether rows that are not given stay. */
  readonly rowMode: 'merge' | 'replace';
  /**
   * For Sync: the files that the rows name. What is given then describes a state, so that writing it again changes
   * nothing: a row without an ID is there where a stored row holds all that it gives, and one that is nowhere is not
   * added by `merge`.
   */
  readonly contents?: Contents | undefined;
  /** The stored rows before this write first went out. Rows that have come since may be the added ones. */
  readonly before?: readonly unknown[] | undefined;
}

/** All rows to send, and whether they differ from those that are stored. */
interface RowsToSend {
  readonly rows: readonly RowWrite[];
  readonly differ: boolean;
}

/** A given row, and the stored row that it stands for. */
interface Placed {
  readonly row: RowWrite;
  readonly stored: IDataObject | null;
}

/**
 * All rows to send so that a table part holds those given. A row is placed by its ID, else by equal content, else it is
 * added.
 * @param stored the rows as they were read, simplified.
 * @throws UserError if rows cannot be changed safely: they have no IDs, do not show a value, or a named one is missing.
 */
export function rowsToSend(
  table: Part,
  given: readonly RowWrite[],
  stored: readonly unknown[],
  terms: RowTerms,
): RowsToSend {
  assertRowsPresent(table, given, stored);
  const placed = place(table, given, stored, terms);
  for (const [index, { row, stored: own }] of placed.entries())
    if (own === null) assertRowOffered(table, index, row, terms.context);
  return terms.rowMode === 'merge'
    ? merged(table, placed, stored, terms)
    : replaced(table, placed, stored, terms);
}

/** @throws UserError where stored rows have no IDs, or none has the ID that a row names. */
function assertRowsPresent(table: Part, rows: readonly RowWrite[], stored: readonly unknown[]): void {
  const named = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (named.length === 0) return;
  const byId = readStoredRows(table, stored);
  const missing = named.filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  throw new UserError(
    `${namePart(table)} has no row ${missing.join(', ')}`,
    `${describeExisting('rows', [...byId.keys()])} The row may have been deleted. Read the record again. A new row must have no id.`,
  );
}

function merged(
  table: Part,
  placed: readonly Placed[],
  stored: readonly unknown[],
  terms: RowTerms,
): RowsToSend {
  const added = placed.filter((each) => each.stored === null).map(({ row }) => row);
  const named = placed.filter(({ row }) => row.id !== undefined);
  const differ = added.length > 0 || !named.every((each) => holdsRow(table, each, terms));
  if (added.length > 0 && terms.contents !== undefined) throw withoutPlace(table);
  if (!differ && terms.contents !== undefined) return { rows: [], differ };
  const changes = [...named.map((each) => withLackingFiles(each, terms)), ...added];
  return { rows: mergeRows(table, changes, stored, terms.context), differ };
}

function replaced(
  table: Part,
  placed: readonly Placed[],
  stored: readonly unknown[],
  terms: RowTerms,
): RowsToSend {
  const isHeld = (each: Placed): boolean =>
    each.stored !== null && (each.row.id === undefined || holdsRow(table, each, terms));
  const differ =
    placed.length !== stored.length || isReordered(placed, stored, terms) || !placed.every(isHeld);
  if (!differ && terms.contents !== undefined) return { rows: [], differ };
  const { context } = terms;
  const rows = placed.map((each): RowWrite => {
    const { row, stored: own } = each;
    if (own === null) return row;
    const id = readText(own.id);
    if (row.id !== undefined) return keptRow(table, id, own, withLackingFiles(each, terms), context);
    return id === '' ? asGiven(table, row, own, context) : keptRow(table, id, own, undefined, context);
  });
  // A row without an ID among others that have one cannot be told from a new one.
  if (rows.some(({ id }) => id !== undefined)) readStoredRows(table, stored);
  return { rows, differ };
}

/** Rows with an ID stand for theirs, the others for stored rows that hold them. */
function place(
  table: Part,
  given: readonly RowWrite[],
  stored: readonly unknown[],
  terms: RowTerms,
): Placed[] {
  const rows = stored.filter(isObject) as IDataObject[];
  const byId = new Map(rows.map((row) => [readText(row.id), row]));
  const unnamed = given.filter(({ id }) => id === undefined);
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const candidates = candidatesOf(rows, terms).filter(({ id }) => !named.has(readText(id)));
  const equal = pairByContent(table, unnamed, candidates, terms);
  return given.map((row) => ({
    row,
    stored: (row.id === undefined ? equal.get(row) : byId.get(row.id)) ?? null,
  }));
}

/**
 * Stored rows that a row without an ID may stand for: with Merge, Update adds such rows, so only those that came since.
 */
function candidatesOf(
  rows: readonly IDataObject[],
  { rowMode, contents, before }: RowTerms,
): readonly IDataObject[] {
  if (contents !== undefined || rowMode === 'replace') return rows;
  if (before === undefined) return [];
  const known = new Set(before.map((row) => (isObject(row) ? readText(row.id) : '')));
  return rows.filter(({ id }) => !known.has(readText(id)));
}

/**
 * Pairs rows with stored rows of equal content: as many as possible, each stored row with at most one row. Rows that
 * give the same child parts are told by one text; only where they give different ones, a row may have to make room for
 * another.
 */
function pairByContent(
  table: Part,
  rows: readonly RowWrite[],
  stored: readonly IDataObject[],
  terms: RowTerms,
): ReadonlyMap<RowWrite, IDataObject> {
  const paired = new Map<RowWrite, IDataObject>();
  const index = new ContentIndex(table, stored, terms);
  const isUniform = new Set(rows.map(signatureOf)).size <= 1;
  const holder = new Map<IDataObject, RowWrite>();
  /** Stored rows are taken from the front and stay taken, whichever row has them. */
  const taken = new Map<readonly IDataObject[], number>();
  const takes = (row: RowWrite, each: IDataObject): boolean => {
    holder.set(each, row);
    paired.set(row, each);
    return true;
  };
  const find = (row: RowWrite, seen: Set<IDataObject>): boolean => {
    const own = index.equalTo(row);
    let first = taken.get(own) ?? 0;
    while (first < own.length && holder.has(own[first]!)) first++;
    taken.set(own, first);
    if (first < own.length) return takes(row, own[first]!);
    if (isUniform) return false;
    for (const each of own) {
      if (seen.has(each)) continue;
      seen.add(each);
      if (find(holder.get(each)!, seen)) return takes(row, each);
    }
    return false;
  };
  for (const row of rows) find(row, new Set());
  return paired;
}

/** How many of some rows are among the stored ones by the texts that they give, each for one. */
export function countEqualRows(
  table: Part,
  rows: readonly RowWrite[],
  stored: readonly unknown[],
  context: WriteContext,
): number {
  const texts = rows.map(({ values }) => ({ values: values.filter(({ value }) => value.kind === 'text') }));
  const terms: RowTerms = { context, rowMode: 'replace', contents: new Map() };
  return pairByContent(table, texts, stored.filter(isObject) as IDataObject[], terms).size;
}

function signatureOf({ values }: RowWrite): string {
  return JSON.stringify(values.map(({ part }) => part.id).sort());
}

/** Stored rows by the texts of the child parts that a row gives. */
class ContentIndex {
  private readonly byParts = new Map<string, Map<string, IDataObject[]>>();

  constructor(
    private readonly table: Part,
    private readonly stored: readonly IDataObject[],
    private readonly terms: RowTerms,
  ) {}

  /** The stored rows that hold all that a row gives, in their order. */
  equalTo(row: RowWrite): readonly IDataObject[] {
    const texts = row.values.flatMap(({ part, value }) =>
      value.kind === 'text' ? [[part.id, canonicalText(part, value.text)] as const] : [],
    );
    const found = this.rowsBy(row).get(contentOf(texts)) ?? [];
    const hasFiles = row.values.some(({ value }) => value.kind === 'files');
    return hasFiles ? found.filter((stored) => holdsRow(this.table, { row, stored }, this.terms)) : found;
  }

  private rowsBy(row: RowWrite): ReadonlyMap<string, IDataObject[]> {
    const signature = signatureOf(row);
    const rows = this.byParts.get(signature) ?? this.read(row);
    this.byParts.set(signature, rows);
    return rows;
  }

  private read({ values }: RowWrite): Map<string, IDataObject[]> {
    const { contents, context } = this.terms;
    const given = new Set(values.map(({ part }) => part));
    const rows = new Map<string, IDataObject[]>();
    for (const stored of this.stored) {
      // What replaces a row must not leave anything of it. Sync leaves what the row holds besides.
      if (
        contents === undefined &&
        (lostPart(this.table, given, stored, context) !== undefined ||
          this.table.children.some((child) => isHidden(stored, child, context)))
      )
        continue;
      const texts = values.flatMap(({ part, value }) => {
        if (value.kind === 'keep') return [];
        if (isHidden(stored, part, context)) throw notComparable(this.table, part);
        if (value.kind !== 'text') return [];
        const shown = valueOf(stored, part, context);
        const text = shown === undefined ? null : canonicalText(part, storedText(part, shown, context));
        return [[part.id, text] as const];
      });
      const content = contentOf(texts);
      const equal = rows.get(content) ?? [];
      equal.push(stored);
      rows.set(content, equal);
    }
    return rows;
  }
}

function contentOf(texts: readonly (readonly [string, string | null])[]): string {
  return JSON.stringify([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a stored row holds all that a row gives. */
function holdsRow(table: Part, { row, stored }: Placed, { context, contents }: RowTerms): boolean {
  if (stored === null) return false;
  return row.values.every(({ part, value }) => {
    const shown = valueOf(stored, part, context);
    if (isHidden(stored, part, context) && row.id === undefined && value.kind !== 'keep')
      throw notComparable(table, part);
    if (value.kind !== 'files' || contents === undefined) return holds(part, value, shown, context) === true;
    return withoutHeldFiles(value, shown, contents).kind === 'keep';
  });
}

function withLackingFiles({ row, stored }: Placed, { context, contents }: RowTerms): RowWrite {
  if (stored === null || contents === undefined) return row;
  const values = row.values.map(({ part, value }) => ({
    part,
    value: withoutHeldFiles(value, valueOf(stored, part, context), contents),
  }));
  return { ...row, values };
}

/**
 * Whether rows stand in another order than they are given in. For Sync, the order of rows without an ID says nothing.
 */
function isReordered(placed: readonly Placed[], stored: readonly unknown[], { contents }: RowTerms): boolean {
  const placeOf = new Map(stored.map((each, index) => [each, index]));
  const places = placed
    .filter(({ row }) => contents === undefined || row.id !== undefined)
    .map((each) => placeOf.get(each.stored) ?? 0);
  return places.some((each, index) => index > 0 && each < (places[index - 1] ?? 0));
}

/**
 * A stored row without an ID can only be written as a new row. That is the same if it holds nothing but the given
 * values.
 * @throws UserError if it does.
 */
function asGiven(table: Part, row: RowWrite, stored: IDataObject, context: WriteContext): RowWrite {
  const given = new Set(row.values.filter(({ value }) => value.kind === 'text').map(({ part }) => part));
  const lost = lostPart(table, given, stored, context);
  if (lost === undefined) return row;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be changed: the service returns no IDs for them, and ${namePart(lost)} would be lost`,
    "If the table part has a part of type ID, give it an identifier in the application's settings. Or map this part, too.",
  );
}

/** A child part of which a stored row holds a value although it is not given. */
function lostPart(
  table: Part,
  given: ReadonlySet<Part>,
  stored: IDataObject,
  context: WriteContext,
): Part | undefined {
  return table.children.find((child) => {
    if (given.has(child) || !isWritable(child)) return false;
    const value = valueOf(stored, child, context);
    return !isEmpty(value) && !(Array.isArray(value) && value.length === 0);
  });
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
