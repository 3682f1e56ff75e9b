import type { IDataObject } from 'n8n-workflow';

import { canonicalText, storedText } from './compare';
import type { Part, RowWrite, WriteContext } from './model/part';
import { valueOf } from './types/entries';
import { isObject, readText } from './values/shapes';

export type StoredRow = IDataObject;

/** The rows of a table part's value; `undefined` if it is not shown. Nothing is known of what is no row. */
export function storedRows(value: unknown): StoredRow[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as unknown[]).map((row) => (isObject(row) ? (row as StoredRow) : {}));
}

/** How rows of equal texts are told apart where one adds files: by its files and those of stored rows, as texts. */
export interface RowFiles {
  readonly given: (row: RowWrite) => readonly string[];
  readonly stored: (row: StoredRow) => readonly string[];
  readonly mayHaveMore: boolean;
}

export const ANY_FILES: RowFiles = { given: () => [], stored: () => [], mayHaveMore: true };

/**
 * The stored row that each given row stands for: the one with its ID; without an ID the first that equals it in all
 * that it gives, each once; `null` for none. Never throws: what a row hides equals nothing.
 * @param files by default, a row that adds files stands for none.
 */
export function placeRows(
  given: readonly RowWrite[],
  stored: readonly StoredRow[],
  context: WriteContext,
  files?: RowFiles,
): (StoredRow | null)[] {
  const byId = new Map(stored.map((row) => [readText(row.id), row]));
  const taken = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [byId.get(id)])));
  const indexes = new Map<string, ContentIndex>();
  return given.map((row) => {
    if (row.id !== undefined) return byId.get(row.id) ?? null;
    const written = row.values.flatMap(({ part, value }) => (value.kind === 'text' ? [{ part, value }] : []));
    const parts = written.map(({ part }) => part);
    const texts = written.map(({ part, value }) => canonicalText(part, value.text));
    const addsFiles = row.values.some(({ value }) => value.kind === 'files' && value.add.length > 0);
    if (addsFiles && files === undefined) return null;
    const added = addsFiles ? files!.given(row) : [];
    const byFile = added.length > 0 ? files : undefined;
    const indexed = JSON.stringify([parts.map(({ id }) => id), byFile !== undefined]);
    const index = indexes.get(indexed) ?? indexBy(parts, stored, context, byFile);
    indexes.set(indexed, index);
    const equals = index.get(JSON.stringify([texts, added[0]])) ?? [];
    // Many rows may be equal: those that are taken are not looked at again.
    while (equals.length > 0 && taken.has(equals[0])) equals.shift();
    const found = equals.find(
      (each) => !taken.has(each) && (byFile === undefined || hasAll(each, added, byFile)),
    );
    if (found === undefined) return null;
    taken.add(found);
    return found;
  });
}

/** Stored rows, in their order, by their texts in some child parts, or by these and each of their files. */
type ContentIndex = ReadonlyMap<string, StoredRow[]>;

function indexBy(
  parts: readonly Part[],
  stored: readonly StoredRow[],
  context: WriteContext,
  files?: RowFiles,
): ContentIndex {
  const index = new Map<string, StoredRow[]>();
  for (const row of stored) {
    const shown = parts.map((part) => [part, valueOf(row, part, context)] as const);
    if (shown.some(([, value]) => value === undefined)) continue;
    const texts = shown.map(([part, value]) => canonicalText(part, storedText(part, value, context)));
    for (const file of files === undefined ? [undefined] : new Set(files.stored(row))) {
      const content = JSON.stringify([texts, file]);
      const equals = index.get(content);
      if (equals === undefined) index.set(content, [row]);
      else equals.push(row);
    }
  }
  return index;
}

function hasAll(row: StoredRow, added: readonly string[], { stored, mayHaveMore }: RowFiles): boolean {
  const left = [...stored(row)];
  for (const file of added) {
    const index = left.indexOf(file);
    if (index === -1) return false;
    left.splice(index, 1);
  }
  return mayHaveMore || left.length === 0;
}
