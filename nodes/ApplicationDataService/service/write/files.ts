import { holds, type RowFiles } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { KEEP, type Part, type WriteContext, type WriteValue } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import { type Entry, isObject, readText } from '../../parts/values/shapes';
import type { Contents } from './form';

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
}

/** Files that a write changes in one attachment part of the record, or of a row that is written. */
export interface FileChange {
  readonly part: Part;
  readonly value: Extract<WriteValue, { readonly kind: 'files' }>;
  readonly row?: { readonly table: Part; readonly id: string | undefined };
}

/** The form of a file's name in which it is sent and compared. What a Mac composes of two characters is one. */
export function fileNameForm(name: string): string {
  return name.replace(/\p{Cc}+/gu, ' ').normalize('NFC');
}

/** The files of an attachment part's simplified value; `undefined` if it shows none. */
export function filesOf(value: unknown): StoredFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as unknown[]).filter(isObject).map(({ id, name, size }) => ({
    id: readText(id),
    name: fileNameForm(readText(name)),
    size: typeof size === 'number' ? size : null,
  }));
}

/** The changes of files among values, place by place, those of rows included. */
export function fileChanges(values: readonly EncodedPart[]): FileChange[] {
  return values.flatMap(({ part, value }): FileChange[] => {
    if (value.kind === 'files') return [{ part, value }];
    if (value.kind !== 'rows') return [];
    return value.rows.flatMap((row) =>
      fileChanges(row.values).map((change) => ({ ...change, row: { table: part, id: row.id } })),
    );
  });
}

export interface LackTerms {
  readonly context: WriteContext;
  /**
   * Where what is given is a state that is to be held (Sync), not a change: its files. One is there where one of the
   * same name is, each for one.
   */
  readonly state?: Contents | undefined;
  /** Counts files of a given name that are there with another size. */
  readonly counts?: { otherFiles: number };
}

/**
 * What a record or row lacks of a value, rows apart; `keep` if it holds all of it. What is to be removed and is not
 * there is removed already; files that it does not show are to be sent as they are given.
 */
export function lackOf(
  { part, value }: EncodedPart,
  holder: Entry,
  { context, state, counts }: LackTerms,
): WriteValue {
  const shown = valueOf(holder, part, context);
  const there = value.kind === 'files' ? filesOf(shown) : undefined;
  if (value.kind !== 'files' || there === undefined)
    return holds(part, value, shown, context) === true ? KEEP : value;
  const remove = value.remove.filter((id) => there.some((file) => file.id === id));
  const left = there.filter(({ id }) => !remove.includes(id));
  const add = value.add.filter((name) => {
    const content = state?.get(name);
    const ofName = left.filter((file) => file.name === content?.fileName);
    const file = ofName.find(({ size }) => size === content?.size) ?? ofName[0];
    if (file === undefined) return true;
    left.splice(left.indexOf(file), 1);
    if (counts !== undefined && file.size !== null && file.size !== content?.size) counts.otherFiles += 1;
    return false;
  });
  return add.length + remove.length === 0 ? KEEP : { kind: 'files', add, remove };
}

/** How many of the names are among the files, by name and size, each for one. */
export function countEqualFiles(
  names: readonly string[],
  files: readonly StoredFile[],
  contents: Contents,
): number {
  const left = [...files];
  return names.filter((name) => {
    const { fileName, size } = contents.get(name)!;
    const index = left.findIndex((file) => file.name === fileName && (file.size ?? size) === size);
    if (index !== -1) left.splice(index, 1);
    return index !== -1;
  }).length;
}

/** The files by which rows of a table part are told apart: for a state by name, else also by size and no others. */
export function filesOfRows(
  table: Part,
  context: WriteContext,
  contents: Contents,
  isState: boolean,
): RowFiles {
  const parts = table.children.filter((part) => part.codec.content === 'files');
  const textOf = ({ id }: Part, name: string, size: number | null): string =>
    JSON.stringify(isState ? [id, name] : [id, name, size]);
  return {
    given: ({ values }) =>
      fileChanges(values).flatMap(({ part, value }) =>
        value.add.map((field) => textOf(part, contents.get(field)!.fileName, contents.get(field)!.size)),
      ),
    stored: (row) =>
      parts.flatMap((part) =>
        (filesOf(valueOf(row, part, context)) ?? []).map(({ name, size }) => textOf(part, name, size)),
      ),
    mayHaveMore: isState,
  };
}

/** The files of one part: of a part in a table part, of all its rows. `undefined` if the record does not show them. */
export function storedFiles(
  record: Entry,
  part: Part,
  table: Part | undefined,
  context: WriteContext,
): StoredFile[] | undefined {
  const shown = table && valueOf(record, table, context);
  const holders =
    table === undefined ? [record] : Array.isArray(shown) ? (shown as unknown[]).filter(isObject) : [{}];
  const files = holders.map((holder) => filesOf(valueOf(holder, part, context)));
  return files.some((each) => each === undefined) ? undefined : files.flatMap((each) => each ?? []);
}
