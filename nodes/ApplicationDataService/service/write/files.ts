import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { isObject, readText } from '../../parts/values/shapes';
import { counted } from '../../util/counted';
import type { FileContent } from '../http/multipart';
import { type CurrentRecord, valueOf } from '../read/records';
import { valueFields, type WriteTarget } from './form';

/** Files to upload, by the names that the values give them. */
export type Contents = ReadonlyMap<string, FileContent>;

type FilesValue = Extract<WriteValue, { readonly kind: 'files' }>;

/** A file of a record or row, as far as it matters here. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
}

/** One attachment part in which a write changes files, of the record or of a row, and what became of it. */
export interface FileChange {
  readonly part: Part;
  readonly value: FilesValue;
  /** The table part and the row's ID, `null` if the service gives none. */
  readonly row?: { readonly table: Part; readonly id: string | null };
  /** Files that are there now and were not before; `undefined` if the record does not show its files. */
  readonly fresh: readonly StoredFile[] | undefined;
  /** The uploads that are there. */
  readonly kept: readonly StoredUpload[];
  /** The uploads that are not. */
  readonly missing: readonly string[];
  /** New files that are none of the uploads. */
  readonly others: readonly StoredFile[];
  /** IDs of the files to remove that are still there. */
  readonly left: readonly string[];
}

/** The size and name of each file that values upload. */
export async function contentsOf(
  { context, uploadSource }: Pick<WriteTarget, 'context' | 'uploadSource'>,
  values: readonly EncodedPart[],
): Promise<Contents> {
  const { uploads } = valueFields(values, context.keyMode);
  const names = [...new Set(uploads.map(({ binaryField }) => binaryField))];
  return new Map(await Promise.all(names.map(async (name) => [name, await uploadSource(name)] as const)));
}

/** Whether values add or remove attachments, of the record or of rows. */
export function changesFiles(values: readonly EncodedPart[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => changesFiles(row.values))
      : value.kind === 'files' && value.add.length + value.remove.length > 0,
  );
}

/** The files of an attachment part's simplified value; `undefined` if it shows none. */
export function filesOf(value: unknown): StoredFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as unknown[]).filter(isObject).map(({ id, name, size }) => ({
    id: readText(id),
    name: readText(name),
    size: typeof size === 'number' ? size : null,
  }));
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

/**
 * Every place in which values change files, with what became of it.
 * @param isAlone whether the service said that it had done the write, and the revision moved by one only.
 */
export function fileChanges(
  values: readonly EncodedPart[],
  before: Pick<CurrentRecord, 'record'>,
  after: Pick<CurrentRecord, 'record'>,
  context: WriteContext,
  contents: Contents,
  isAlone: boolean,
): FileChange[] {
  const changeOf = (
    part: Part,
    value: FilesValue,
    was: Holder,
    is: Holder,
    row?: FileChange['row'],
  ): FileChange => {
    const files = filesOf(valueOf(is, part, context));
    const known = new Set(filesOf(valueOf(was, part, context))?.map(({ id }) => id));
    const fresh = files?.filter(({ id }) => !known.has(id));
    const left = value.remove.filter((id) => files?.some((file) => file.id === id));
    return {
      part,
      value,
      ...(row && { row }),
      fresh,
      left,
      ...arrivalOf(value, fresh ?? [], contents, isAlone),
    };
  };
  return values.flatMap(({ part, value }): FileChange[] => {
    if (value.kind === 'files') return [changeOf(part, value, before.record, after.record)];
    if (value.kind !== 'rows' || !changesFiles([{ part, value }])) return [];
    const was = rowsOf(valueOf(before.record, part, context));
    const stored = matchRows(value.rows, was, rowsOf(valueOf(after.record, part, context)), context);
    return value.rows.flatMap(({ id, values: children }, index) => {
      const now = stored[index];
      const then = was.find((each) => id !== undefined && readText(each.id) === id);
      const row = { table: part, id: readText(now?.id) || null };
      return children.flatMap(({ part: child, value: files }) =>
        // Of a row that is gone, everything is removed.
        files.kind !== 'files' || (now === undefined && files.add.length === 0)
          ? []
          : [changeOf(child, files, then ?? {}, now ?? {}, row)],
      );
    });
  });
}

/** A simplified record, or a row of it. */
type Holder = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): Holder[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/**
 * The stored row of each row that was sent: by its ID; a new one is the next of the rows that were not there before, as
 * the service keeps the order in which rows are sent, and others' rows come after.
 */
function matchRows(
  sent: readonly RowWrite[],
  before: readonly Holder[],
  now: readonly Holder[],
  context: WriteContext,
): (Holder | undefined)[] {
  const known = new Set(before.map(({ id }) => readText(id)));
  const fresh = now.filter(({ id }) => readText(id) === '' || !known.has(readText(id)));
  const byId = new Map(now.map((row) => [readText(row.id), row]));
  return sent.map(({ id, values }) => {
    if (id !== undefined) return byId.get(id);
    // It contradicts none of the values that were sent.
    const next = fresh.findIndex((row) =>
      values.every(({ part, value }) => holds(part, value, valueOf(row, part, context), context) !== false),
    );
    return next === -1 ? undefined : fresh.splice(0, next + 1).at(-1);
  });
}

/** A file as the service keeps it. */
interface StoredUpload {
  readonly name: string;
  /** Says how it differs from what was sent; absent if it does not. */
  readonly altered?: string;
}

/**
 * An upload is a new file of the same name and size. A service may also alter what it is sent, re-encode a picture say:
 * where nobody else can have written meanwhile, every new file is one of the uploads.
 */
function arrivalOf(
  { add }: FilesValue,
  fresh: readonly StoredFile[],
  contents: Contents,
  isAlone: boolean,
): Pick<FileChange, 'kept' | 'missing' | 'others'> {
  const left = [...fresh];
  const found = new Map<string, StoredFile>();
  const missing = (): string[] => add.filter((name) => !found.has(name));
  const claim = (fits: (file: StoredFile, content: FileContent) => boolean, names = missing()): void => {
    for (const name of names) {
      const content = contents.get(name);
      const index = content === undefined ? -1 : left.findIndex((file) => fits(file, content));
      const [file] = index === -1 ? [] : left.splice(index, 1);
      if (file !== undefined) found.set(name, file);
    }
  };
  claim((file, { fileName, size }) => file.name === fileName && (file.size ?? size) === size);
  if (isAlone) {
    // Where fewer altered files are kept than were sent, which ones they are is told by their names only.
    const nameOf = (name: string): string => contents.get(name)?.fileName ?? '';
    const isWhole = (name: string): boolean =>
      left.filter((file) => file.name === nameOf(name)).length >=
      missing().filter((each) => nameOf(each) === nameOf(name)).length;
    claim((file, { fileName }) => file.name === fileName, missing().filter(isWhole));
    if (left.length >= missing().length) {
      claim((file, { size }) => file.size === size);
      claim(() => true);
    }
  }
  return {
    kept: add.flatMap((name) => {
      const file = found.get(name);
      if (file === undefined) return [];
      const sent = contents.get(name)?.size ?? file.size;
      if (sent === null || sent === file.size) return [{ name: file.name }];
      const kept = file.size ?? 'an unknown number';
      return [{ name: file.name, altered: `${file.name} (${counted(sent, 'byte')} sent, ${kept} kept)` }];
    }),
    missing: missing(),
    others: left,
  };
}

/** One upload or removal that is still to be done, in a request of its own. */
export type FileStep = Pick<FileChange, 'part' | 'row' | 'value'>;

/** What is still to be done of a change, one file a step. */
export function stepsOf({ part, row, left, missing }: FileChange): FileStep[] {
  const step = (add: readonly string[], remove: readonly string[]): FileStep => ({
    part,
    value: { kind: 'files', add, remove },
    ...(row !== undefined && { row }),
  });
  return [...left.map((id) => step([], [id])), ...missing.map((name) => step([name], []))];
}

/** What was not done, to follow "but". */
export function describeStep({ part, value: { add, remove } }: FileStep, contents: Contents): string {
  const [name] = add;
  return name === undefined
    ? `the file ${remove.join()} was not removed from ${namePart(part)}`
    : `the file "${fileNameOf(name, contents)}" was not added to ${namePart(part)}`;
}

/** The name of the file that a name in the values uploads. */
export function fileNameOf(name: string, contents: Contents): string {
  return contents.get(name)?.fileName ?? name;
}
