import type { IDataObject } from 'n8n-workflow';

import { holds, holdsOnlyRows } from '../../parts/compare';
import { mergeRows, replaceRows } from '../../parts/mergeRows';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { ServiceError } from '../http/errors';
import { valueOf, type CurrentRecord } from '../read/current';
import { resolveConflict, type ConflictPolicy } from './conflict';
import { changesFiles, filesOf, removesFiles } from './filePlaces';
import { NO_CHECK } from './form';
import type { WriteTarget } from './send';
import type { EncodedPart } from '../../parts/encode';

/** What to change of one record, and how. */
export interface Update extends WriteTarget {
  readonly values: readonly EncodedPart[];
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** The item's json, for what it knows of the parts' old values. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Whether rows of table parts are merged into those that are there, or replace them. */
  readonly rowMode: 'merge' | 'replace';
  /** Table parts and attachment parts to empty, whatever the row mode; `values` holds the others. */
  readonly emptied: readonly Part[];
  readonly skipUnchanged: boolean;
  /** All parts of the application. */
  readonly parts: readonly Part[];
}

/** A change of one record, planned again for each round. */
export interface RecordWrite extends WriteTarget {
  /** Whether a plan can only be made with the record in hand. */
  readonly needsCurrent: boolean;
  /** What to send, given the record as it is (`null` while it was not read). */
  plan(current: CurrentRecord | null): WritePlan;
  /** The plan that needs no record, by which a doubt of an earlier try is settled; `null` if there is none. */
  readonly asked: WritePlan | null;
}

/** What one round of a write is to send. */
export interface WritePlan {
  readonly outcome: 'updated' | 'unchanged' | 'conflict';
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  /** Rows are added to those that are there. */
  readonly addsRows?: boolean;
  /** What the plan found out besides, to be remembered with the write. */
  readonly found?: IDataObject;
}

/** An update as a write of a record. Its plan throws UserError where the policy says so, or rows cannot be merged. */
export function updateWrite(update: Update): RecordWrite {
  const { revision, values, emptied } = update;
  const isPlain = emptied.length === 0 && values.every(({ value }) => value.kind === 'text');
  return {
    ...update,
    needsCurrent: needsCurrent(update),
    plan: (current) => planOf(update, current),
    asked: isPlain ? { outcome: 'updated', revision: revision ?? NO_CHECK, values } : null,
  };
}

/** Whether a plan can only be made with the record in hand. */
function needsCurrent({ skipUnchanged, values, rowMode, emptied }: Update): boolean {
  if (skipUnchanged || changesFiles(values) || emptied.some(({ type }) => type === 'files')) return true;
  return values.some(({ value }) => value.kind === 'rows' && (rowMode === 'merge' || hasIds(value.rows)));
}

function hasIds(rows: readonly RowWrite[]): boolean {
  return rows.some(({ id }) => id !== undefined);
}

/**
 * What to send, given the record as it is (`null` while it was not read).
 * @throws UserError, ServiceError
 */
function planOf(update: Update, current: CurrentRecord | null): WritePlan {
  const { policy, context } = update;
  let revision = policy === 'overwrite' ? NO_CHECK : (update.revision ?? NO_CHECK);
  if (current !== null && revision !== NO_CHECK && current.revision !== revision) {
    const decision = resolveConflict({ ...update, revision, current });
    if (decision === 'conflict') return { outcome: 'conflict', revision, values: [] };
    revision = current.revision;
  }
  const held = update.values.flatMap((value) => heldAgainst(value, current, update));
  const all = [...held, ...update.emptied.map((part) => emptiedPart(part, current, context))];
  const values = all.filter(({ value }) => value.kind !== 'keep');
  if (current !== null && mustBeGuarded(values, update)) revision = current.revision;
  const changed =
    update.skipUnchanged && current !== null
      ? values.filter((value) => differs(current, context)(value) || replacesRows(value, current, update))
      : values;
  if (changed.length === 0) return { outcome: 'unchanged', revision, values: [] };
  // A key part by which the service looks up values must be sent along, changed or not.
  const sent = values.filter(
    (value) => changed.includes(value) || update.options.relookupKeyParts.includes(value.part.id),
  );
  return { outcome: 'updated', revision, values: sent, addsRows: addsRows(update) };
}

/** Whether writing a table part again would change rows that hold the values sent: their order, or values besides. */
function replacesRows(
  { part, value }: EncodedPart,
  current: CurrentRecord,
  { rowMode, context }: Update,
): boolean {
  if (rowMode !== 'replace' || value.kind !== 'rows') return false;
  return !holdsOnlyRows(part, value.rows, valueOf(current.record, part, context), context);
}

/** Rows made of those that are there, and removals, count for the record as it was read only. */
function mustBeGuarded(values: readonly EncodedPart[], { rowMode }: Update): boolean {
  const rows = values.flatMap(({ value }) => (value.kind === 'rows' ? [value.rows] : []));
  if (rowMode === 'merge' && rows.some((each) => each.length > 0)) return true;
  return rows.some(hasIds) || removesFiles(values);
}

function addsRows({ values, rowMode }: Update): boolean {
  return (
    rowMode === 'merge' &&
    values.some(({ value }) => value.kind === 'rows' && value.rows.some(({ id }) => id === undefined))
  );
}

/** A value, held against what the record holds: rows among those that are there, files that are there to be removed. */
function heldAgainst(encoded: EncodedPart, current: CurrentRecord | null, update: Update): EncodedPart[] {
  const { part, value } = encoded;
  const { context, rowMode } = update;
  if (value.kind === 'files')
    return current === null ? [encoded] : [withPresentFiles(encoded, current, context)];
  if (value.kind !== 'rows') return [encoded];
  if (rowMode === 'merge' && value.rows.length === 0) return [];
  if (rowMode === 'replace' && !hasIds(value.rows)) return [encoded];
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  if (!Array.isArray(stored)) throw notReadable(part, 'rows');
  const merge = rowMode === 'merge' ? mergeRows : replaceRows;
  return [{ part, value: { kind: 'rows', rows: merge(part, value.rows, stored, context) } }];
}

/** Files to remove that do not exist count as removed. */
function withPresentFiles(
  { part, value }: EncodedPart,
  current: CurrentRecord,
  context: WriteContext,
): EncodedPart {
  if (value.kind !== 'files') return { part, value };
  const stored = filesOf(valueOf(current.record, part, context));
  if (stored === undefined) throw notReadable(part, 'files');
  const there = new Set(stored.map(({ id }) => id));
  const remove = value.remove.filter((id) => there.has(id));
  const keeps = value.add.length === 0 && remove.length === 0;
  return { part, value: keeps ? { kind: 'keep' } : { ...value, remove } };
}

/** What empties a table part or an attachment part: no rows, or the removal of each file that is there. */
export function emptiedPart(part: Part, current: CurrentRecord | null, context: WriteContext): EncodedPart {
  if (part.type === 'input_list') return { part, value: { kind: 'rows', rows: [] } };
  const stored = current === null ? undefined : filesOf(valueOf(current.record, part, context));
  if (stored === undefined) throw notReadable(part, 'files');
  const remove = stored.map(({ id }) => id);
  return remove.length === 0
    ? { part, value: { kind: 'keep' } }
    : { part, value: { kind: 'files', add: [], remove } };
}

/** The refusal of a change that needs to see what it changes. */
export function notReadable(part: Part, what: 'rows' | 'files'): ServiceError {
  return new ServiceError(
    'refused',
    what === 'rows'
      ? `The rows of ${namePart(part)} cannot be merged: the record does not show them`
      : `The attachments of ${namePart(part)} cannot be changed: the record does not show them`,
    what === 'rows'
      ? 'Ask for the right to read this table part, or set the option "Table Row Mode" to Replace.'
      : 'Ask for the right to read this part, or leave it out.',
  );
}

/** Picks the values that a record does not hold yet, or may not hold. */
export function differs(current: CurrentRecord, context: WriteContext): (value: EncodedPart) => boolean {
  return ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) !== true;
}
