import type { IDataObject } from 'n8n-workflow';

import { canonicalText, storedText } from './compare';
import type { Part, RowWrite, WriteContext } from './model/part';
import { valueOf } from './types/entries';
import { isObject, readText } from './values/shapes';

/** A row of a table part as a record shows it: `{id, <child key>: value}`. */
export type StoredRow = IDataObject;

/** Whether the files that a row adds are those of a stored row, which has the same texts. */
export type HasFiles = (row: RowWrite, stored: StoredRow) => boolean;

/**
 * The stored row that each given row stands for: the one with its ID; without an ID the first one that equals it in
 * every child part it gives. Each stored row stands for one given row at most: first come, first served. `null` where
 * there is none. Never throws: what a row hides equals nothing.
 * @param hasFiles decides about rows that add files; by default, those stand for none.
 */
export function placeRows(
  given: readonly RowWrite[],
  stored: readonly StoredRow[],
  context: WriteContext,
  hasFiles: HasFiles = () => false,
): (StoredRow | null)[] {
  const byId = new Map(stored.map((row) => [readText(row.id), row]));
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [byId.get(id)])));
  const content = new ContentIndex(
    stored.filter((row) => !named.has(row)),
    context,
  );
  return given.map((row) =>
    row.id === undefined ? content.take(row, hasFiles) : (byId.get(row.id) ?? null),
  );
}

/**
 * The rows of a table part's simplified value; `undefined` if the record does not show them. What is no row is one of
 * which nothing is known.
 */
export function storedRows(value: unknown): StoredRow[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as unknown[]).map((row) => (isObject(row) ? (row as StoredRow) : {}));
}

/** Stored rows by the texts of the child parts that a given row names. */
class ContentIndex {
  private readonly byParts = new Map<string, Map<string, StoredRow[]>>();

  private readonly taken = new Set<StoredRow>();

  constructor(
    private readonly stored: readonly StoredRow[],
    private readonly context: WriteContext,
  ) {}

  /** The first row that is equal and not taken, which is taken then. */
  take(given: RowWrite, hasFiles: HasFiles): StoredRow | null {
    const parts: Part[] = [];
    const texts: string[] = [];
    let addsFiles = false;
    for (const { part, value } of given.values) {
      if (value.kind === 'files') addsFiles ||= value.add.length > 0;
      if (value.kind !== 'text') continue;
      parts.push(part);
      texts.push(canonicalText(part, value.text));
    }
    const equals = this.indexOf(parts).get(JSON.stringify(texts)) ?? [];
    // Many rows may be equal: those that are taken are not looked at again.
    while (equals.length > 0 && this.taken.has(equals[0]!)) equals.shift();
    const isFree = (row: StoredRow): boolean => !this.taken.has(row) && (!addsFiles || hasFiles(given, row));
    const found = equals.find(isFree);
    if (found !== undefined) this.taken.add(found);
    return found ?? null;
  }

  private indexOf(parts: readonly Part[]): ReadonlyMap<string, StoredRow[]> {
    const names = JSON.stringify(parts.map(({ id }) => id));
    const known = this.byParts.get(names);
    if (known !== undefined) return known;
    const index = new Map<string, StoredRow[]>();
    for (const row of this.stored) {
      const texts = parts.map((part) => shownText(row, part, this.context));
      if (texts.includes(null)) continue;
      const content = JSON.stringify(texts);
      const equals = index.get(content);
      if (equals === undefined) index.set(content, [row]);
      else equals.push(row);
    }
    this.byParts.set(names, index);
    return index;
  }
}

/** The text of a child part in a stored row, for comparing; `null` if the row does not show it. */
function shownText(row: StoredRow, part: Part, context: WriteContext): string | null {
  const shown = valueOf(row, part, context);
  return shown === undefined ? null : canonicalText(part, storedText(part, shown, context));
}
