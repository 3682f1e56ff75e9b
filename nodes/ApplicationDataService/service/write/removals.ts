import { storedRows } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import { KEEP, type Part, type WriteContext } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import type { Entry } from '../../parts/values/shapes';
import { notShown } from '../read/records';
import { type FileChange, fileChanges, filesOf } from './files';
import { rowsById } from './rows';
import type { Change, FileRemoval, Removal, Update } from './update';

/** An update with nothing to remove: that follows in requests of its own. */
export function withoutRemovals(update: Update): Update {
  const { values, changes } = update;
  const kept = changes?.map((change) =>
    change.kind === 'update' ? { ...change, values: withoutRemoved(change.values) } : change,
  );
  return { ...update, values: withoutRemoved(values), ...(kept && { changes: kept }) };
}

function withoutRemoved(values: readonly EncodedPart[]): readonly EncodedPart[] {
  return values.map(({ part, value }): EncodedPart => {
    if (value.kind === 'files')
      return { part, value: value.add.length === 0 ? KEEP : { ...value, remove: [] } };
    if (value.kind === 'empty' && part.codec.content === 'files') return { part, value: KEEP };
    if (value.kind !== 'rows') return { part, value };
    const rows = value.rows.map((row) => ({ ...row, values: withoutRemoved(row.values) }));
    return { part, value: { kind: 'rows', rows } };
  });
}

/**
 * The value that removes one file: whether a service removes several at once is not documented (service-facts, "More
 * that is not shown").
 */
export function removing({ part, row, id }: Removal): EncodedPart {
  const files: EncodedPart = { part, value: { kind: 'files', add: [], remove: [id] } };
  if (row === undefined) return files;
  return { part: row.table, value: { kind: 'rows', rows: [{ id: row.id, values: [files] }] } };
}

/**
 * Of the files that an update is to remove, those that a record holds.
 * @throws ServiceError if it does not show them.
 */
export function removalsOf(
  { values, changes = [], context }: Pick<Update, 'values' | 'changes' | 'context'>,
  record: Entry,
): Removal[] {
  const given = [...values, ...changes.flatMap(changedRow)];
  const wanted = [
    ...values.flatMap((each) => emptied(each, record, context)),
    ...fileChanges(given).flatMap(removalIn),
    ...changes.flatMap((change) => (change.kind === 'removeFiles' ? change : [])),
  ];
  const removals = new Map<string, Removal>();
  for (const each of wanted)
    for (const id of idsThere(each, record, context)) {
      const { part, row } = each;
      removals.set(JSON.stringify([part.id, row?.id, id]), { part, id, ...(row && { row }) });
    }
  return [...removals.values()];
}

function changedRow(change: Change): EncodedPart[] {
  if (change.kind !== 'update') return [];
  const { table: part, id, values } = change;
  return [{ part, value: { kind: 'rows', rows: [{ id, values }] } }];
}

/** A row without an ID is a new one. */
function removalIn({ part, value: { remove: ids }, row }: FileChange): FileRemoval[] {
  const { table, id } = row ?? {};
  if (ids.length === 0 || (table !== undefined && id === undefined)) return [];
  const place = table !== undefined && id !== undefined && { row: { table, id } };
  return [{ kind: 'removeFiles', part, ids, ...place }];
}

/** Of an attachment part that is to be emptied, all files. */
function emptied({ part, value }: EncodedPart, record: Entry, context: WriteContext): FileRemoval[] {
  if (value.kind !== 'empty' || part.codec.content !== 'files') return [];
  const ids = filesOf(shownIn(record, part, context))!.map(({ id }) => id);
  return [{ kind: 'removeFiles', part, ids }];
}

/** Which files of those are there. @throws ServiceError if they are not shown; UserError if rows have no IDs */
export function idsThere(
  { part, row, ids }: Pick<FileRemoval, 'part' | 'row' | 'ids'>,
  record: Entry,
  context: WriteContext,
): readonly string[] {
  const rows = row && storedRows(shownIn(record, row.table, context))!;
  const holder = rows === undefined ? record : rowsById(row!.table, rows).get(row!.id);
  if (holder === undefined) return [];
  const there = new Set(filesOf(shownIn(holder, part, context))!.map(({ id }) => id));
  return ids.filter((id) => there.has(id));
}

/** The rows or files of a part. @throws ServiceError if the record does not show them. */
export function shownIn(record: Entry, part: Part, context: WriteContext): readonly unknown[] {
  const shown = valueOf(record, part, context);
  if (Array.isArray(shown)) return shown as readonly unknown[];
  const what = part.codec.content === 'rows' ? 'rows' : 'attachments';
  throw notShown(`The ${what} of ${namePart(part)} cannot be changed: the record does not show them`);
}
