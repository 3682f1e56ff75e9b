import { canonicalText, placeRows, type StoredRow, storedRows, writeBack } from '../../parts/compare';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import { KEEP, type Part, type RowWrite, type WriteContext, type WriteValue } from '../../parts/model/part';
import { inRow, namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import { addressObstacle, isWritable } from '../../parts/model/obstacle';
import { isRoundedAway, valueOf } from '../../parts/types/entries';
import { describeExisting, describeList } from '../../parts/values/describe';
import { isEmpty, isObject, readText } from '../../parts/values/shapes';
import { asUserError, UserError } from '../../util/userError';
import type { ItemOutcome } from './checkpoint';
import { filesOf, filesOfRows, lackOf, type LackTerms } from './files';

/** How what is wanted is held against what is there. */
export interface DiffTerms extends LackTerms {
  /** `merge` compares rows without an ID only with a `state`, and then adds none that is nowhere. */
  readonly rowMode: 'merge' | 'replace';
  /** Leave out what the record holds already. */
  readonly onlyChanges: boolean;
}

type RowValues = RowWrite['values'];

/** A row to send, and the stored row that it stands for; `null` for a new one. */
interface Placed {
  readonly row: RowWrite;
  readonly stored: StoredRow | null;
  /** Whether the stored row holds all of it. */
  readonly isHeld?: boolean;
}

/**
 * All rows to send so that a table part holds those given: placed by ID, else by equal content, else added.
 * @param value the table part as it was read, simplified.
 * @returns `keep` where the part need not be sent.
 * @throws UserError if rows cannot be changed safely: they have no IDs, do not show a value, or a named one is missing.
 */
export function rowsToSend(
  table: Part,
  given: readonly RowWrite[],
  value: readonly unknown[],
  terms: DiffTerms,
): WriteValue {
  const stored = storedRows(value)!;
  assertRowsPresent(table, given, stored);
  const { context, state } = terms;
  const isMerge = terms.rowMode === 'merge';
  const placed = place(table, given, stored, terms);
  if (isMerge && state !== undefined && placed.some((each) => each.stored === null))
    throw new UserError(
      `A row for ${namePart(table)} has no ID, and the record has no equal row`,
      'With Merge, every run would add it again. Add the row IDs, or set the option "Table Row Mode" to Replace.',
    );
  // What is given for rows that stay may be nothing but files to remove, which follow.
  if (isMerge && given.every(({ id, values }) => id !== undefined && values.every(isKept))) return KEEP;
  const isHeld =
    placed.every((each) => each.isHeld) && (isMerge || areInPlace(placed, stored, state !== undefined));
  // Rows that cannot be sent as they are need not be, if nothing is to change in them.
  const isHidden = findHidden(table.children.filter(isWritable), stored, context) !== null;
  if (isHeld && (terms.onlyChanges || isHidden)) return KEEP;
  if (isMerge) {
    const changes = new Map(placed.map((each) => [readText(each.stored?.id), each.row.values]));
    const added = placed.filter((each) => each.stored === null);
    return mergedRows(table, changes, added, rowsById(table, stored), context);
  }
  const rows = completed(table, placed, context);
  // A row without an ID among others that have one cannot be told from a new one.
  if (rows.some(({ id }) => id !== undefined)) rowsById(table, stored);
  return { kind: 'rows', rows };
}

function isKept({ value }: EncodedPart): boolean {
  return value.kind === 'keep';
}

/** @throws UserError for a choice that is no longer offered; if a row is compared with one that hides what it gives. */
function place(
  table: Part,
  given: readonly RowWrite[],
  stored: readonly StoredRow[],
  terms: DiffTerms,
): readonly Placed[] {
  const { context, rowMode, state } = terms;
  const named = new Set(given.map(({ id }) => id));
  // With Merge, Update adds rows without an ID; Sync compares them.
  const isCompared = rowMode === 'replace' || state !== undefined;
  const candidates = isCompared ? stored : stored.filter(({ id }) => named.has(readText(id)));
  // Without a state, a row that adds files is another one.
  const files = state && filesOfRows(table, context, state, true);
  const unplaced = new Set<Part>();
  const placed = placeRows(given, candidates, context, files).map((own, index): Placed => {
    const row = given[index]!;
    inRow(table, index, () => assertOffered(row.values, own, context));
    if (own === null) {
      row.values.filter((each) => !isKept(each)).forEach(({ part }) => unplaced.add(part));
      return { row, stored: null };
    }
    const lacks = row.values.map((each) => lackOf(each, own, terms));
    // A text that is held is sent as it was given: the whole row is sent.
    const values = row.values.map((each, at) =>
      each.value.kind === 'text' ? each : { part: each.part, value: lacks[at]! },
    );
    return { row: { ...row, values }, stored: own, isHeld: lacks.every(({ kind }) => kind === 'keep') };
  });
  const hidden = isCompared ? findHidden([...unplaced], stored, context) : null;
  if (hidden !== null) throw hiddenValue(table, hidden, context, 'compared');
  return placed;
}

/** Whether these are all rows, in their order. For Sync, the order of rows without an ID says nothing. */
function areInPlace(placed: readonly Placed[], stored: readonly StoredRow[], isState: boolean): boolean {
  const placeOf = new Map(stored.map((row, index) => [row, index]));
  const ordered = placed.filter(({ row }) => !isState || row.id !== undefined);
  const places = ordered.map((each) => placeOf.get(each.stored!)!);
  return (
    placed.length === stored.length && places.every((at, index) => index === 0 || at > places[index - 1]!)
  );
}

/** @throws UserError where stored rows have no IDs, or none has the ID that a row names. */
function assertRowsPresent(table: Part, rows: readonly RowWrite[], stored: readonly StoredRow[]): void {
  const named = rows.flatMap(({ id }) => id ?? []);
  if (named.length === 0) return;
  const byId = rowsById(table, stored);
  const missing = named.filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  throw new UserError(
    `${namePart(table)} has no row ${describeList(missing)}`,
    `${describeExisting('rows', [...byId.keys()])} Read the record again; a new row must have no id.`,
  );
}

export type RowChange = { readonly table: Part } & (
  | { readonly kind: 'add'; readonly values: RowValues }
  | { readonly kind: 'update'; readonly id: string; readonly values: RowValues }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
);

/**
 * Changes of single rows of one table part, in their order. A row that two changes name gets both; one that two
 * deletions name counts for both.
 * @param value the table part as it was read, simplified.
 * @returns all rows as they are to be sent, `keep` if none changes; and what each change comes to.
 * @throws UserError if the service gives no row IDs.
 */
export function changeRows(
  table: Part,
  changes: readonly RowChange[],
  value: readonly unknown[],
  context: WriteContext,
  skipUnchanged: boolean,
): { readonly value: WriteValue; readonly outcomes: readonly ItemOutcome[] } {
  const byId = rowsById(table, storedRows(value)!);
  const changed = new Map<string, Map<Part, WriteValue>>();
  const removed = new Set<string>();
  const added: Placed[] = [];
  const outcomes = changes.map((change): ItemOutcome => {
    if (change.kind === 'add') {
      added.push({ row: { values: change.values }, stored: null });
      return { outcome: 'created' };
    }
    if (change.kind === 'delete') {
      const ids = change.ids.filter((id) => byId.has(id));
      const notFound = change.ids.filter((id) => !byId.has(id));
      for (const id of ids) removed.add(id);
      return { outcome: ids.length > 0 ? 'deleted' : 'notFound', ids, notFound };
    }
    const row = byId.get(change.id);
    if (row === undefined) return { outcome: 'notFound' };
    assertOffered(change.values, row, context);
    const all = changed.get(change.id) ?? new Map<Part, WriteValue>();
    const wanted = change.values.map((each) => afterEarlier(each, all.get(each.part), row, context));
    // A text that is held is sent as it was given.
    const sent = change.values.map((each, at) =>
      skipUnchanged || each.value.kind !== 'text' ? wanted[at]! : each,
    );
    if (sent.every(isKept)) return { outcome: 'unchanged' };
    for (const each of sent) if (!isKept(each)) all.set(each.part, each.value);
    changed.set(change.id, all);
    return { outcome: 'updated' };
  });
  if (changed.size + added.length + removed.size === 0) return { value: KEEP, outcomes };
  const values = new Map(
    [...changed].map(([id, all]) => [id, [...all].map(([part, wanted]) => ({ part, value: wanted }))]),
  );
  for (const id of removed) byId.delete(id);
  return { value: mergedRows(table, values, added, byId, context), outcomes };
}

/** What a row lacks of a value after an earlier change of the same part: of files, what both add and remove. */
function afterEarlier(
  given: EncodedPart,
  earlier: WriteValue = KEEP,
  row: StoredRow,
  context: WriteContext,
): EncodedPart {
  const { part, value } = given;
  if (earlier.kind === 'text' && value.kind === 'text') {
    const isSame = canonicalText(part, earlier.text) === canonicalText(part, value.text);
    return { part, value: isSame ? KEEP : value };
  }
  const later = lackOf(given, row, { context });
  if (earlier.kind !== 'files' || later.kind !== 'files') return { part, value: later };
  const both = (what: 'add' | 'remove'): string[] => [...new Set([...earlier[what], ...later[what]])];
  return { part, value: { kind: 'files', add: both('add'), remove: both('remove') } };
}

/** Rows that stay, with what changes in them, and those added: the service deletes the others. */
function mergedRows(
  table: Part,
  changes: ReadonlyMap<string, RowValues>,
  added: readonly Placed[],
  kept: ReadonlyMap<string, StoredRow>,
  context: WriteContext,
): WriteValue {
  const rows = [...kept].map(([id, stored]) => ({ row: { id, values: changes.get(id) ?? [] }, stored }));
  return { kind: 'rows', rows: completed(table, [...rows, ...added], context) };
}

/** The rows by their IDs, in their order. @throws UserError if the service returns a row without an ID. */
export function rowsById(table: Part, stored: readonly StoredRow[]): Map<string, StoredRow> {
  const rows = new Map(stored.map((row) => [readText(row.id), row]));
  if (!rows.has('') && rows.size === stored.length) return rows;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be merged: the service returns no IDs for them`,
    `Without IDs, existing rows would be deleted or duplicated. To write all rows at once, update the record with the option "Table Row Mode" set to Replace. ${GIVE_ID}`,
  );
}

/**
 * Rows as they are sent: what happens to a child value that a sent row leaves out is not documented, so a stored row is
 * sent with all its values. Its files are kept without being sent.
 * @throws UserError if a row does not show a value, or a value is not its own: it could be lost.
 */
function completed(table: Part, rows: readonly Placed[], context: WriteContext): RowWrite[] {
  const columns = table.children.filter(isWritable);
  const checked = new Set<Part>();
  return rows.map(({ row, stored }) => {
    if (stored === null) return row;
    const given = new Map(row.values.map(({ part, value }) => [part, value]));
    const values = columns.flatMap((part) => {
      const wanted = given.get(part) ?? KEEP;
      if (wanted.kind === 'keep' && part.codec.content !== 'files' && !checked.has(part)) {
        assertKeepable(part, table, context);
        checked.add(part);
      }
      const value = wanted.kind === 'keep' ? keptValue(table, part, stored, context) : wanted;
      return value.kind === 'keep' ? [] : [{ part, value }];
    });
    return isEmpty(stored.id) ? { values } : { id: readText(stored.id), values };
  });
}

/** @throws UserError where the value of a stored row could not be sent back */
function assertKeepable(part: Part, table: Part, { keyMode }: WriteContext): void {
  const cause = addressObstacle(part, table, keyMode);
  if (cause === null) return;
  throw new UserError(
    `The rows of ${namePart(table)} cannot be kept: the value of ${namePart(part)} cannot be sent back, because ${cause}`,
    `What is not sent of a row may be lost. Give that part ${keyMode === 'name' ? 'a name' : 'a part identifier'} of its own in the application's settings.`,
  );
}

function keptValue(table: Part, part: Part, stored: StoredRow, context: WriteContext): WriteValue {
  const hidden = findHidden([part], [stored], context);
  if (hidden !== null) throw hiddenValue(table, hidden, context, 'merged');
  const shown = valueOf(stored, part, context);
  if (part.codec.content === 'files') {
    if (!isEmpty(stored.id) || (filesOf(shown) ?? []).length === 0) return KEEP;
    throw new UserError(
      `The rows of ${namePart(table)} cannot be changed: the service returns no IDs for them, and their files in ${namePart(part)} would be lost`,
      GIVE_ID,
    );
  }
  if (shown === undefined) return KEEP;
  try {
    return writeBack(part, shown, context);
  } catch (error) {
    const failure = asUserError(error);
    throw failure.reworded(
      `Row ${readText(stored.id)} of ${namePart(table)} cannot be kept: ${failure.message}`,
    );
  }
}

/** A stored row that says that it does not show one of some parts, or has lost digits of it on the way. */
function findHidden(
  parts: readonly Part[],
  stored: readonly StoredRow[],
  { keyMode }: WriteContext,
): { readonly row: StoredRow; readonly part: Part } | null {
  for (const row of stored) {
    const errors = isObject(row.partErrors) ? row.partErrors : {};
    const part = parts.find((each) => Object.hasOwn(errors, partKey(each, keyMode)));
    if (part !== undefined) return { row, part };
  }
  return null;
}

const GIVE_ID =
  "If the table part has a part of type ID, give it an identifier in the application's settings.";

function hiddenValue(
  table: Part,
  { row, part }: NonNullable<ReturnType<typeof findHidden>>,
  { keyMode }: WriteContext,
  what: 'merged' | 'compared',
): UserError {
  const isRounded = isRoundedAway(row, outputKey(partKey(part, keyMode)));
  const which = isEmpty(row.id) ? 'a row' : `row ${readText(row.id)}`;
  const remedy = isRounded ? 'Give the value in the row, as text' : 'Ask for the right to read the part';
  return new UserError(
    `The rows of ${namePart(table)} cannot be ${what}: ${which} does not show ${isRounded ? 'all digits of ' : ''}${namePart(part)}`,
    what === 'merged'
      ? `Writing the rows would lose this value. ${remedy}, or leave the table part out.`
      : 'Give each row its ID, or leave the part out of the rows.',
  );
}
