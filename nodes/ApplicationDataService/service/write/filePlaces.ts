import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { holds } from '../../parts/compare';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import type { SimplifiedRecord } from '../../parts/record';
import { isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { valueOf } from '../read/current';
import type { EncodedPart } from '../../parts/encode';

type FilesValue = Extract<WriteValue, { readonly kind: 'files' }>;

/** Whether values add or remove attachments, of the record or of rows. */
export function changesFiles(values: readonly { readonly value: WriteValue }[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => changesFiles(row.values))
      : value.kind === 'files' && value.add.length + value.remove.length > 0,
  );
}

/** Whether values remove attachments. */
export function removesFiles(values: readonly { readonly value: WriteValue }[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => removesFiles(row.values))
      : value.kind === 'files' && value.remove.length > 0,
  );
}

/** One attachment part in which files change: of the record, or of a row. */
export interface FilePlace {
  readonly part: Part;
  readonly change: FilesValue;
  /** The table part and the row's id, `null` if the service gives none. */
  readonly row?: { readonly table: Part; readonly id: string | null };
  /** Files before the change and now, `undefined` if the record does not show them. */
  readonly before: readonly StoredFile[];
  readonly now: readonly StoredFile[] | undefined;
}

/** A file of a record or row, as far as it matters here. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
}

/** Every place in which values change files, with what is there. */
export function filePlaces(
  values: readonly EncodedPart[],
  before: SimplifiedRecord,
  now: SimplifiedRecord,
  context: WriteContext,
): FilePlace[] {
  return values.flatMap(({ part, value }) => {
    const was = valueOf(before, part, context);
    const is = valueOf(now, part, context);
    if (value.kind === 'files')
      return [{ part, change: value, before: filesOf(was) ?? [], now: filesOf(is) }];
    return value.kind === 'rows' ? rowPlaces(part, value.rows, rowsOf(was), rowsOf(is), context) : [];
  });
}

function rowPlaces(
  table: Part,
  sent: readonly RowWrite[],
  before: readonly StoredRow[],
  now: readonly StoredRow[],
  context: WriteContext,
): FilePlace[] {
  const rows = matchRows(sent, before, now, context);
  return sent.flatMap((row, index) => {
    const is = rows[index];
    const was = before.find(({ id }) => id !== null && id === row.id);
    return row.values.flatMap(({ part, value }): FilePlace[] => {
      if (value.kind !== 'files') return [];
      // Of a row that is gone, everything is removed.
      if (is === undefined && value.add.length === 0) return [];
      const key = outputKey(partKey(part, context.keyMode));
      return [
        {
          part,
          change: value,
          row: { table, id: is?.id ?? null },
          before: filesOf(was?.values[key]) ?? [],
          now: filesOf(is?.values[key]),
        },
      ];
    });
  });
}

interface StoredRow {
  readonly id: string | null;
  readonly values: Readonly<Record<string, SimplifiedValue>>;
}

/**
 * The stored row of each row that was sent: by its id; a new one is the next of the rows that were not there before, as
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
  return sent.map((row) => {
    if (row.id !== undefined) return now.find(({ id }) => id === row.id);
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

function rowsOf(value: SimplifiedValue | undefined): StoredRow[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).filter(isObject).map((row) => {
    const id = readText(row.id);
    return { id: id === '' ? null : id, values: row as StoredRow['values'] };
  });
}

/** The files of an attachment part's simplified value. */
export function filesOf(value: SimplifiedValue | undefined): StoredFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as unknown[]).filter(isObject).map(({ id, name, size }) => ({
    id: readText(id),
    name: readText(name),
    size: typeof size === 'number' ? size : null,
  }));
}
