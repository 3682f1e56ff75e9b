import type { IDataObject } from 'n8n-workflow';

import { canonicalText, storedText } from './compare';
import type { Part, RowWrite, WriteContext } from './model/part';
import { valueOf } from './types/entries';
import { isObject, readText } from './values/shapes';

/** A row of a table part as a record shows it: `{id, <child key>: value}`. */
export type StoredRow = IDataObject;

/** How rows of the same texts are told apart where one adds files: by its files and those of stored rows, as texts. */
export interface RowFiles {
  readonly given: (row: RowWrite) => readonly string[];
  readonly stored: (row: StoredRow) => readonly string[];
  /** Whether a stored row may have others besides. */
  readonly mayHaveMore: boolean;
}

/** Files tell nothing. */
export const ANY_FILES: RowFiles = { given: () => [], stored: () => [], mayHaveMore: true };

/**
 * The stored row that each given row stands for: the one with its ID; without an ID the first one that equals it in
 * every child part it gives. Each stored row stands for one given row at most: first come, first served. `null` where
 * there is none. Never throws: what a row hides equals nothing.
 * @param files tells rows that add files apart; by default, those stand for none.
 */
export function placeRows(
  given: readonly RowWrite[],
  stored: readonly StoredRow[],
  context: WriteContext,
  files?: RowFiles,
): (StoredRow | null)[] {
  const byId = new Map(stored.map((row) => [readText(row.id), row]));
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [byId.get(id)])));
  const content = new ContentIndex(
    stored.filter((row) => !named.has(row)),
    context,
    files,
  );
  return given.map((row) => (row.id === undefined ? content.take(row) : (byId.get(row.id) ?? null)));
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

  /** Of rows with the same texts, those with each file. */
  private readonly byFile = new Map<StoredRow[], Map<string, StoredRow[]>>();

  constructor(
    private readonly stored: readonly StoredRow[],
    private readonly context: WriteContext,
    private readonly files?: RowFiles,
  ) {}

  /** The first row that is equal and not taken, which is taken then. */
  take(given: RowWrite): StoredRow | null {
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
    const files = addsFiles ? this.files?.given(given) : [];
    if (files === undefined) return null;
    const candidates = files.length === 0 ? equals : this.withOneOf(files, equals);
    // Many rows may be equal: those that are taken are not looked at again.
    while (candidates.length > 0 && this.taken.has(candidates[0]!)) candidates.shift();
    const found = candidates.find((row) => !this.taken.has(row) && this.has(files, row));
    if (found !== undefined) this.taken.add(found);
    return found ?? null;
  }

  /** Of equal rows, those that have the rarest of some files. */
  private withOneOf(files: readonly string[], equals: StoredRow[]): StoredRow[] {
    const index = this.byFile.get(equals) ?? new Map<string, StoredRow[]>();
    if (!this.byFile.has(equals)) {
      for (const row of equals) {
        for (const file of new Set(this.files?.stored(row))) {
          const having = index.get(file);
          if (having === undefined) index.set(file, [row]);
          else having.push(row);
        }
      }
      this.byFile.set(equals, index);
    }
    const having = files.map((file) => index.get(file) ?? []);
    return having.reduce((least, each) => (each.length < least.length ? each : least));
  }

  private has(files: readonly string[], row: StoredRow): boolean {
    if (files.length === 0) return true;
    const left = [...this.files!.stored(row)];
    const isThere = files.every((file) => {
      const index = left.indexOf(file);
      if (index !== -1) left.splice(index, 1);
      return index !== -1;
    });
    return isThere && (this.files!.mayHaveMore || left.length === 0);
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
