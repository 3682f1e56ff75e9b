import type { IDataObject } from 'n8n-workflow';

import { canonicalText, holds, writeBack } from '../../parts/compare';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import { assertAddressable } from '../../parts/model/obstacle';
import type { Part } from '../../parts/model/part';
import { assertNotRowId } from '../../parts/types/rows';
import { describeExisting } from '../../parts/values/describe';
import { isObject, readText } from '../../parts/values/shapes';
import { codecOf, isWritable } from '../../parts/codecs';
import { attempt } from '../../util/concurrently';
import { asUserError, UserError } from '../../util/userError';
import { valueOf } from '../read/records';
import { type Contents, lackingFiles } from './files';

/** One change of the rows of a table part. */
export type RowChange = { readonly table: Part } & (
  | { readonly kind: 'add'; readonly values: RowWrite['values'] }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly values: RowWrite['values'];
      /** Send only what the row does not hold yet. */
      readonly skipUnchanged: boolean;
    }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
);

/** What a change came to. */
export interface RowOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'notFound';
  /** IDs that a deletion names: those of rows that were there, and the others. */
  readonly ids: readonly string[];
  readonly notFound: readonly string[];
  /** Where nothing was found: a sentence about the rows that are there. */
  readonly existing?: string;
}

/** The changes of one table part, one after the other. */
export class TableChanges {
  private readonly stored: ReturnType<typeof readStoredRows>;

  private readonly changed = new Map<string, Map<Part, WriteValue>>();

  private readonly removed = new Set<string>();

  private readonly added: RowWrite[] = [];

  constructor(
    private readonly table: Part,
    private readonly rows: readonly unknown[],
    private readonly context: WriteContext,
  ) {
    this.stored = readStoredRows(table, rows);
  }

  make(change: RowChange): RowOutcome {
    if (change.kind === 'delete') return this.delete(change.ids);
    if (change.kind === 'update') {
      const outcome = this.update(change);
      return { outcome, ids: [], notFound: [], ...(outcome === 'notFound' && this.existing()) };
    }
    this.added.push({ values: change.values });
    return { outcome: 'created', ids: [], notFound: [] };
  }

  /** All rows, as they are to be sent; nothing if none changes. */
  values(): EncodedPart[] {
    const changed = [...this.changed].map(([id, values]) => ({
      id,
      values: [...values].map(([part, value]) => ({ part, value })),
    }));
    if (changed.length + this.added.length + this.removed.size === 0) return [];
    const rows = mergeRows(this.table, [...changed, ...this.added], this.rows, this.context, this.removed);
    return [{ part: this.table, value: { kind: 'rows', rows } }];
  }

  private delete(wanted: readonly string[]): RowOutcome {
    const ids = wanted.filter((id) => this.stored.has(id));
    const notFound = wanted.filter((id) => !this.stored.has(id));
    ids.forEach((id) => this.removed.add(id));
    if (ids.length > 0) return { outcome: 'deleted', ids, notFound };
    return { outcome: 'notFound', ids, notFound, ...this.existing() };
  }

  private existing(): Pick<RowOutcome, 'existing'> {
    return { existing: describeExisting('rows', [...this.stored.keys()]) };
  }

  private update({ id, values, skipUnchanged }: RowChange & { kind: 'update' }): RowOutcome['outcome'] {
    const stored = this.stored.get(id);
    if (stored === undefined) return 'notFound';
    assertOffered(values, stored, this.context);
    const sent = skipUnchanged ? values.filter((value) => !this.holds(id, value)) : values;
    if (sent.length === 0) return 'unchanged';
    const row = this.changed.get(id) ?? new Map<Part, WriteValue>();
    this.changed.set(id, row);
    for (const { part, value } of sent) row.set(part, joined(row.get(part), value));
    return 'updated';
  }

  /** Whether a row holds a value already, or will by an earlier change. */
  private holds(id: string, { part, value }: EncodedPart): boolean {
    const earlier = this.changed.get(id)?.get(part);
    if (earlier?.kind === 'text' && value.kind === 'text')
      return canonicalText(part, earlier.text) === canonicalText(part, value.text);
    if (earlier !== undefined) return JSON.stringify(earlier) === JSON.stringify(value);
    return holds(part, value, valueOf(this.stored.get(id) ?? {}, part, this.context), this.context) === true;
  }
}

/** The later of two values; of files, what both add and remove. */
function joined(earlier: WriteValue | undefined, later: WriteValue): WriteValue {
  if (earlier === undefined || earlier.kind === 'keep') return later;
  if (later.kind === 'keep') return earlier;
  if (earlier.kind !== 'files' || later.kind !== 'files') return later;
  return {
    kind: 'files',
    add: [...new Set([...earlier.add, ...later.add])],
    remove: [...new Set([...earlier.remove, ...later.remove])],
  };
}

/**
 * The rows to send so that only the given ones change. The service deletes rows that an update leaves out, and what
 * happens to child values that a sent row leaves out is not documented. So every row is sent, with all its values.
 * @param rows changes of stored rows, and rows to add.
 * @param removed IDs of rows to leave out.
 * @throws UserError if the service returns no row IDs.
 */
export function mergeRows(
  table: Part,
  rows: readonly RowWrite[],
  stored: readonly unknown[],
  context: WriteContext,
  removed: ReadonlySet<string> = new Set(),
): RowWrite[] {
  const byId = readStoredRows(table, stored);
  const changes = new Map(rows.map((row) => [row.id, row]));
  const kept = [...byId]
    .filter(([id]) => !removed.has(id))
    .map(([id, row]) => keptRow(table, id, row, changes.get(id), context));
  return [...kept, ...rows.filter(({ id }) => id === undefined)];
}

/**
 * The rows by their IDs, in their order.
 * @throws UserError if the service returns a row without an ID.
 */
export function readStoredRows(table: Part, stored: readonly unknown[]): Map<string, IDataObject> {
  const rows = new Map<string, IDataObject>();
  for (const row of stored) {
    const id = isObject(row) ? readText(row.id) : '';
    if (id === '' || rows.has(id)) throw withoutIds(table);
    rows.set(id, row as IDataObject);
  }
  return rows;
}

export function keptRow(
  table: Part,
  id: string,
  row: IDataObject,
  change: RowWrite | undefined,
  context: WriteContext,
): RowWrite {
  const changed = new Map(change?.values.map(({ part, value }) => [part, value]));
  const values = table.children.filter(isWritable).flatMap((part) => {
    const given = changed.get(part);
    const value =
      given === undefined || given.kind === 'keep'
        ? keptValue(table, part, id, row, context)
        : withoutHeldFiles(given, valueOf(row, part, context));
    return value.kind === 'keep' ? [] : [{ part, value }];
  });
  return { id, values };
}

/** What is left to do of a change of files, see `lackingFiles`; other values, and what is not shown, as they are. */
export function withoutHeldFiles(value: WriteValue, stored: unknown, contents?: Contents): WriteValue {
  const lacking = value.kind === 'files' ? lackingFiles(value, stored, contents) : null;
  return lacking?.value ?? value;
}

/**
 * The value that leaves a part unchanged. Files are kept without being sent.
 * @throws UserError if the row does not show the value, or shares its key with another part: the value could be lost.
 */
function keptValue(table: Part, part: Part, id: string, row: IDataObject, context: WriteContext): WriteValue {
  const key = partKey(part, context.keyMode);
  if (isHidden(row, part, context)) throw notShown(table, part, id, 'Ask for the right to read the part');
  if (codecOf(part).holds === 'files') return { kind: 'keep' };
  if (key === '')
    throw notShown(table, part, id, `Give the part an ${context.keyMode} in the application's settings`);
  assertAddressable(part, table.children, context.keyMode);
  assertNotRowId(part, context);
  const shown = outputKey(key);
  if (!Object.hasOwn(row, shown)) return { kind: 'keep' };
  const kept = attempt(() => writeBack(part, row[shown], context));
  if ('value' in kept) return kept.value;
  const { message, description } = asUserError(kept.error);
  throw new UserError(`Row ${id} of ${namePart(table)} cannot be kept: ${message}`, description);
}

/** Whether a stored row says that it does not show a part. */
export function isHidden(row: IDataObject, part: Part, { keyMode }: WriteContext): boolean {
  return isObject(row.partErrors) && Object.hasOwn(row.partErrors, partKey(part, keyMode));
}

function notShown(table: Part, part: Part, id: string, advice: string): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be merged: row ${id} does not show ${namePart(part)}`,
    `Writing the rows would lose this value. ${advice}, or leave the table part out.`,
  );
}

function withoutIds(table: Part): UserError {
  return new UserError(
    `The rows of ${namePart(table)} cannot be merged: the service returns no IDs for them`,
    'Without IDs, existing rows would be deleted or duplicated. To write all rows at once, update the record with the option "Table Row Mode" set to Replace. ' +
      "If the table part has a part of type ID, give it an identifier in the application's settings.",
  );
}
