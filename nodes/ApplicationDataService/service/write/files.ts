import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject, readText, type SimplifiedValue } from '../../parts/values/shapes';
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

/** One attachment part in which a write changes files: of the record, or of a row. */
export interface FileChange {
  readonly part: Part;
  readonly value: FilesValue;
  /** The table part and the row's ID, `null` if the service gives none. */
  readonly row?: { readonly table: Part; readonly id: string | null };
  /** Files that are there now and were not before; `undefined` if the record does not show its files. */
  readonly fresh: readonly StoredFile[] | undefined;
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
 * What is left to do of a change of files that describes a state: a file is there where one of the same name is, each
 * for one; what is to be removed and is not there is removed already.
 * @param stored the simplified value of the attachment part.
 * @returns also how many of the files that are there have another size; `null` if the record does not show its files.
 */
export function lackingFiles(
  { add, remove }: FilesValue,
  stored: unknown,
  contents: Contents,
): { readonly value: WriteValue; readonly otherSize: number } | null {
  const there = filesOf(stored);
  if (there === undefined) return null;
  const removed = there.filter(({ id }) => remove.includes(id)).map(({ id }) => id);
  const left = there.filter(({ id }) => !remove.includes(id));
  let otherSize = 0;
  const lacking = add.filter((name) => {
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

/** Every place in which values change files, with what became of it. */
export function fileChanges(
  values: readonly EncodedPart[],
  before: Pick<CurrentRecord, 'record'>,
  after: Pick<CurrentRecord, 'record'>,
  context: WriteContext,
): FileChange[] {
  return values.flatMap(({ part, value }): FileChange[] => {
    const was = valueOf(before.record, part, context);
    const is = valueOf(after.record, part, context);
    if (value.kind === 'files') return [{ part, value, ...compare(value, was, is) }];
    if (value.kind !== 'rows' || !changesFiles([{ part, value }])) return [];
    return rowChanges(part, value.rows, rowsOf(was), rowsOf(is), context);
  });
}

function compare(
  { remove }: FilesValue,
  before: SimplifiedValue | undefined,
  now: SimplifiedValue | undefined,
): Pick<FileChange, 'fresh' | 'left'> {
  const files = filesOf(now);
  const known = new Set(filesOf(before)?.map(({ id }) => id));
  const there = new Set(files?.map(({ id }) => id));
  return { fresh: files?.filter(({ id }) => !known.has(id)), left: remove.filter((id) => there.has(id)) };
}

function rowChanges(
  table: Part,
  sent: readonly RowWrite[],
  before: readonly StoredRow[],
  now: readonly StoredRow[],
  context: WriteContext,
): FileChange[] {
  const rows = matchRows(sent, before, now, context);
  return sent.flatMap((row, index) => {
    const is = rows[index];
    const was = before.find(({ id }) => id !== null && id === row.id);
    return row.values.flatMap(({ part, value }): FileChange[] => {
      if (value.kind !== 'files') return [];
      // Of a row that is gone, everything is removed.
      if (is === undefined && value.add.length === 0) return [];
      const key = outputKey(partKey(part, context.keyMode));
      const row = { table, id: is?.id ?? null };
      return [{ part, value, row, ...compare(value, was?.values[key], is?.values[key]) }];
    });
  });
}

interface StoredRow {
  readonly id: string | null;
  readonly values: Readonly<Record<string, SimplifiedValue>>;
}

function rowsOf(value: SimplifiedValue | undefined): StoredRow[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).filter(isObject).map((row) => {
    const id = readText(row.id);
    return { id: id === '' ? null : id, values: row as StoredRow['values'] };
  });
}

/**
 * The stored row of each row that was sent: by its ID; a new one is the next of the rows that were not there before, as
 * the service keeps the order in which rows are sent, and others' rows come after.
 */
function matchRows(
  sent: readonly RowWrite[],
  before: readonly StoredRow[],
  now: readonly StoredRow[],
  context: WriteContext,
): (StoredRow | undefined)[] {
  const known = new Set(before.map(({ id }) => id));
  const fresh = now.filter(({ id }) => id === null || !known.has(id));
  const byId = new Map(now.map((row) => [row.id, row]));
  return sent.map((row) => {
    if (row.id !== undefined) return byId.get(row.id);
    const next = fresh.findIndex((stored) => mayBe(row, stored, context));
    return next === -1 ? undefined : fresh.splice(0, next + 1).at(-1);
  });
}

/** Whether a stored row contradicts none of the values that were sent. */
function mayBe(row: RowWrite, stored: StoredRow, context: WriteContext): boolean {
  return row.values.every(({ part, value }) => {
    const key = outputKey(partKey(part, context.keyMode));
    return holds(part, value, stored.values[key], context) !== false;
  });
}

/** A file as the service keeps it. */
export interface StoredUpload {
  readonly name: string;
  /** Says how it differs from what was sent; absent if it does not. */
  readonly altered?: string;
}

/** Which uploads of a place are there, and which are not. */
export interface Arrival {
  readonly kept: readonly StoredUpload[];
  readonly missing: readonly string[];
  /** New files that are none of the uploads. */
  readonly others: readonly StoredFile[];
}

/**
 * An upload is a new file of the same name and size. A service may also alter what it is sent, re-encode a picture say:
 * where nobody else can have written meanwhile, every new file is one of the uploads.
 * @param isAlone whether the service said that it had done the write, and the revision moved by one only.
 */
export function arrivalOf(
  { value, fresh = [] }: Pick<FileChange, 'value' | 'fresh'>,
  contents: Contents,
  isAlone: boolean,
): Arrival {
  const left = [...fresh];
  const found = new Map<string, StoredFile>();
  const missing = (): string[] => value.add.filter((name) => !found.has(name));
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
    kept: value.add.flatMap((name) => {
      const file = found.get(name);
      return file === undefined ? [] : [storedUpload(file, contents.get(name))];
    }),
    missing: missing(),
    others: left,
  };
}

function storedUpload({ name, size }: StoredFile, content: FileContent | undefined): StoredUpload {
  const sent = content?.size ?? size;
  if (sent === null || sent === size) return { name };
  return { name, altered: `${name} (${counted(sent, 'byte')} sent, ${size ?? 'an unknown number'} kept)` };
}

/** One upload or removal that is still to be done, in a request of its own. */
export type FileStep = Pick<FileChange, 'part' | 'row' | 'value'>;

/** What is still to be done of a change, one file a step. */
export function stepsOf({ part, row, left }: FileChange, { missing }: Arrival): FileStep[] {
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
