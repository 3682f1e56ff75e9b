import type { EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteContext, WriteValue } from '../../parts/model/part';
import type { StoredRow } from '../../parts/placeRows';
import { describeValues } from '../../parts/values/describe';
import { isObject, readText } from '../../parts/values/shapes';
import { valueOf } from '../../parts/types/entries';
import type { Contents, WriteTarget } from './form';

type FilesValue = Extract<WriteValue, { readonly kind: 'files' }>;

/** A file of a record or row, as far as it matters here. */
interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
}

/** An attachment part of the record, or of a row that is written. */
interface FilePlace {
  readonly part: Part;
  readonly row?: { readonly table: Part; readonly row: RowWrite };
}

/** Files that a write changes in one place. */
export interface FileChange extends FilePlace {
  readonly value: FilesValue;
}

/** The files that values name, with their sizes and contents. */
export async function contentsOf(
  { uploadSource }: Pick<WriteTarget, 'uploadSource'>,
  values: readonly EncodedPart[],
): Promise<Contents> {
  const names = new Set(fileChanges(values).flatMap(({ value }) => value.add));
  return new Map(
    await Promise.all([...names].map(async (name) => [name, await uploadSource(name)] as const)),
  );
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
      fileChanges(row.values).map((change) => ({ ...change, row: { table: part, row } })),
    );
  });
}

/**
 * What is left to do of a change of files: what is to be removed and is not there is removed already.
 * @param stored the simplified value of the attachment part.
 * @param contents for a change that describes a state: a file is there where one of the same name is, each for one.
 * @returns also how many of the files that are there have another size; `null` if the record does not show its files.
 */
export function lackingFiles(
  { add, remove }: FilesValue,
  stored: unknown,
  contents?: Contents,
): { readonly value: WriteValue; readonly otherSize: number } | null {
  const there = filesOf(stored);
  if (there === undefined) return null;
  const removed = remove.filter((id) => there.some((file) => file.id === id));
  const left = there.filter(({ id }) => !remove.includes(id));
  let otherSize = 0;
  const lacking = add.filter((name) => {
    if (contents === undefined) return true;
    const content = contents.get(name);
    const ofName = left.filter((file) => file.name === content?.fileName);
    const file = ofName.find(({ size }) => size === content?.size) ?? ofName[0];
    if (file === undefined) return true;
    left.splice(left.indexOf(file), 1);
    if (file.size !== null && content !== undefined && content.size !== file.size) otherSize += 1;
    return false;
  });
  const isHeld = lacking.length + removed.length === 0;
  return { value: isHeld ? { kind: 'keep' } : { kind: 'files', add: lacking, remove: removed }, otherSize };
}

/** What is left to do of a change of files, see `lackingFiles`; other values, and what is not shown, as they are. */
export function withoutHeldFiles(value: WriteValue, stored: unknown, contents?: Contents): WriteValue {
  const lacking = value.kind === 'files' ? lackingFiles(value, stored, contents) : null;
  return lacking?.value ?? value;
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

/** Whether a row that a write has added has exactly the files that were sent with it. */
export function hasSentFiles(
  row: RowWrite,
  stored: StoredRow,
  context: WriteContext,
  contents: Contents,
): boolean {
  return row.values.every(({ part, value }) => {
    if (value.kind !== 'files') return true;
    const files = filesOf(valueOf(stored, part, context)) ?? [];
    return files.length === value.add.length && countEqualFiles(value.add, files, contents) === files.length;
  });
}

/** The values of a write's first request, and the files that follow it, one a request. */
export interface Split {
  readonly first: readonly EncodedPart[];
  readonly later: readonly FileChange[];
}

/**
 * All files of a part travel with the values, so that automatic processing sees them together, but for a second one of
 * the same name, which could not be told from the first. One file is removed a request: whether a service removes
 * several at once is not documented (service-facts, "More that is not shown").
 */
export function splitFiles(values: readonly EncodedPart[], contents: Contents): Split {
  const later: FileChange[] = [];
  let removes = false;
  const split = (each: EncodedPart, row?: FilePlace['row']): EncodedPart => {
    const { part, value } = each;
    if (value.kind === 'rows') {
      const hasFiles = value.rows.some((own) => own.values.some((child) => child.value.kind === 'files'));
      if (!hasFiles) return each;
      const rows = value.rows.map((own) => {
        const sent = { ...own, values: own.values };
        sent.values = own.values.map((child) => split(child, { table: part, row: sent }));
        return sent;
      });
      return { part, value: { kind: 'rows', rows } };
    }
    if (value.kind !== 'files') return each;
    const follow = (add: string[], remove: string[]): void =>
      void later.push({ part, value: { kind: 'files', add, remove }, ...(row && { row }) });
    const seen = new Set<string>();
    const add = value.add.filter((name) => {
      const { fileName } = contents.get(name)!;
      const isFirst = !seen.has(fileName);
      seen.add(fileName);
      if (!isFirst) follow([name], []);
      return isFirst;
    });
    const remove = removes ? [] : value.remove.slice(0, 1);
    removes ||= remove.length > 0;
    value.remove.slice(remove.length).forEach((id) => follow([], [id]));
    return { part, value: { kind: 'files', add, remove } };
  };
  return { first: values.map((each) => split(each)), later };
}

/** Files by the names under which they are sent, for messages. */
export function nameFiles(names: readonly string[], contents: Contents): string {
  return describeValues(names.map((name) => contents.get(name)!.fileName));
}
