import type { IDataObject } from 'n8n-workflow';

import { attempt } from '../util/concurrently';
import { asUserError } from '../util/userError';
import { outputKey, partKey } from './model/keys';
import {
  isSeveral,
  type KeyMode,
  type Part,
  type RowWrite,
  type WriteContext,
  type WriteValue,
} from './model/part';
import { type Entry, isObject, readText, type SimplifiedValue } from './values/shapes';
import { canonicalDecimal } from './values/decimal';
import { valueOf } from './types/entries';

/** Whether a part has what would be sent; `null` if that is unknown: files, and what may not be read. */
export function holds(
  part: Part,
  sent: WriteValue,
  current: SimplifiedValue | undefined,
  context: WriteContext,
): boolean | null {
  if (sent.kind === 'keep') return true;
  if (sent.kind === 'empty') return Array.isArray(current) ? current.length === 0 : null;
  if (sent.kind === 'files') return sent.add.length + sent.remove.length === 0 ? true : null;
  if (sent.kind === 'rows') return Array.isArray(current) ? holdsRows(sent.rows, current, context) : null;
  if (current === undefined) return null;
  // Most values of a long list are as they would be sent.
  if (sent.text === current || (typeof current === 'number' && sent.text === String(current))) return true;
  // What would be sent for it does not depend on how the service writes values.
  const stored = storedText(part, current, context);
  return sent.text === stored || canonicalText(part, sent.text) === canonicalText(part, stored);
}

/** The text by which stored texts are compared: a form with files turns line breaks into CR LF, for one. */
export function canonicalText(part: Part, text: string): string {
  if (isSeveral(part)) return text.split('\t').sort().join('\t');
  if (part.codec.compares === 'number') return canonicalDecimal(text);
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** The texts of a record's parts by which records are distinguished; one that the record does not show is empty. */
export function storedKey(parts: readonly Part[], record: Entry, context: WriteContext): string[] {
  return parts.map((part) => canonicalText(part, storedText(part, valueOf(record, part, context), context)));
}

/** The text that would write back a value that was read, even if the part no longer accepts it; else one to compare. */
export function storedText(part: Part, current: SimplifiedValue, context: WriteContext): string {
  // What is typed is trimmed to meet an option; what is stored has its blank.
  const write = part.codec.choices === undefined ? part.codec.write : undefined;
  const written = attempt(() => write?.(current, part, context));
  // A refusal is expected here: the stored value is older than the part's settings.
  if ('error' in written) asUserError(written.error);
  else if (written.value?.kind === 'text') return written.value.text;
  const plain = (item: unknown): string => (isObject(item) ? JSON.stringify(item) : readText(item));
  return Array.isArray(current) ? current.map(plain).join('\t') : plain(current);
}

/** What keeps a stored value that must be sent again. @throws UserError for people and groups without an ID */
export function writeBack(part: Part, current: SimplifiedValue, context: WriteContext): WriteValue {
  const written = part.codec.members && part.codec.write?.(current, part, context);
  return written ?? { kind: 'text', text: storedText(part, current, context) };
}

function holdsRows(
  rows: readonly RowWrite[],
  current: readonly unknown[],
  context: WriteContext,
): boolean | null {
  if (rows.length !== current.length) return false;
  const byId = new Map(current.filter(isObject).map((row) => [row.id, row]));
  const held = rows.flatMap(({ id, values }, index) => {
    const stored = id === undefined ? current[index] : byId.get(id);
    if (!isObject(stored)) return [false];
    return values.map(({ part, value }) => holds(part, value, valueOf(stored, part, context), context));
  });
  return holdsAll(held);
}

/** Whether all of several are held: `false` if one is not, else `null` if one is not known. */
export function holdsAll(held: readonly (boolean | null)[]): boolean | null {
  if (held.includes(false)) return false;
  return held.includes(null) ? null : true;
}

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
    const place = equals.find(
      (each) => !taken.has(each) && (byFile === undefined || hasAll(each, added, byFile)),
    );
    if (place === undefined) return null;
    taken.add(place);
    return place;
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

/** Whether a cell of a table part is in error. */
export function hidesCell(value: unknown): boolean {
  return Array.isArray(value) && value.some((row) => isObject(row) && 'partErrors' in row);
}

/**
 * The meaning of a simplified value, in a form that can be compared. The order of several choices does not matter; nor
 * does a column of a table part where it is empty, so that a new one is no change.
 */
export function meaningOf(part: Part, value: unknown, keyMode: KeyMode): unknown {
  if (!Array.isArray(value)) return value ?? null;
  const children = [...part.children].sort((one, other) => (one.id < other.id ? -1 : 1));
  const meanings = (value as unknown[]).map((each) => {
    if (!isObject(each)) return each;
    if (part.codec.members !== undefined) return each.id;
    if (children.length === 0) return JSON.stringify([each.id, each.name, each.size]);
    const cells = children.map((child) => {
      const cell = each[outputKey(partKey(child, keyMode))];
      return [child.id, meaningOf(child, cell, keyMode)];
    });
    return [each.id, ...cells.filter(([, cell]) => cell !== null && !isEmptyList(cell))];
  });
  return part.children.length === 0 ? meanings.sort() : meanings;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
