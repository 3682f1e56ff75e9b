import type { IDataObject } from 'n8n-workflow';

import { holds, storedKey, storedText } from '../../parts/compare';
import { assertOffered, type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { Part, WriteContext, WriteValue } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { valueOf } from '../../parts/types/entries';
import type { Entry } from '../../parts/values/shapes';
import { describeValues } from '../../parts/values/describe';
import { groupBy } from '../../util/groupBy';
import { ServiceError } from '../http/errors';
import { keyText, type MatchKey } from '../read/keyedRecords';
import { type CurrentRecord, notShown } from '../read/records';
import { NO_CHECK, type WriteTarget } from './form';
import { fileChanges, filesOf, KEEP, lackOf, type Split, splitFiles } from './files';
import { changeRows, type DiffTerms, type RowChange, type RowOutcome, rowsToSend } from './rows';
import type { Guard } from './verdict';

/** What to do when the record has changed since the item's revision. */
export type ConflictPolicy = 'overwrite' | 'fail' | 'skip' | 'merge';

export interface Update extends WriteTarget {
  readonly values: readonly EncodedPart[];
  readonly rowChanges?: readonly RowChange[];
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** The item's json: where it holds a part under its key, that is the value that the item goes by. */
  readonly known: Entry;
  readonly rowMode: DiffTerms['rowMode'];
  /** Only what differs from the record is sent. */
  readonly skipUnchanged: boolean;
  readonly parts: readonly Part[];
  /**
   * For Sync: the key by which the record was found. What is given is then a state that the record is to hold, sent
   * under the revision that was compared, while the record has the key.
   */
  readonly stateOf?: { readonly parts: readonly Part[]; readonly key: MatchKey } | undefined;
}

/** What is to be sent: all `values`, those of the first request, and the files that follow it. */
export interface WritePlan extends Split {
  readonly outcome: 'updated' | 'unchanged' | 'conflict';
  readonly guard: Guard;
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  readonly found: Found;
}

/** What a plan found out besides, to be remembered with the write. */
export type Found = IDataObject & {
  /** IDs of the files to remove that are there. */
  removed: string[];
  outcomes: RowOutcome[];
  /** Files that stay as they are although the record holds another one of the same name, told by its size. */
  otherFiles: number;
};

/** Whether each value can be compared by itself, unlike rows and files, which are placed among others. */
export function arePlain(values: Update['values']): boolean {
  return values.every(({ value }) => value.kind === 'text' || value.kind === 'keep');
}

/** Whether a plan can only be made with the record in hand: for all but plain values, all of them offered. */
export function needsCurrent(update: Update): boolean {
  const { skipUnchanged, values, rowChanges = [] } = update;
  if (skipUnchanged || rowChanges.length > 0) return true;
  return hasUnoffered(values) || !arePlain(values);
}

/**
 * What to send so that a record is as an update wants it.
 * @param current the record as it is; `null` if it was not read, see `needsCurrent`.
 * @param isFirst whether nothing was sent before.
 * @throws ServiceError: `conflict` where the policy says so, or if the record does not show rows or files; UserError
 * if rows cannot be changed safely.
 */
export function planUpdate(update: Update, current: CurrentRecord | null, isFirst = true): WritePlan {
  const { stateOf } = update;
  if (stateOf !== undefined) assertSameKey(stateOf, update, current!);
  const own = update.revision ?? NO_CHECK;
  const hasMoved = current !== null && own !== NO_CHECK && current.revision !== own;
  const found: Found = { removed: [], outcomes: [], otherFiles: 0 };
  if (hasMoved && resolveConflict(update, current) === 'conflict')
    return { outcome: 'conflict', guard: 'user', revision: own, values: [], first: [], later: [], found };
  const values = diff(update, current, isFirst, found);
  // Rows and files count for the record as it was read only.
  const isPlain = stateOf === undefined && values.every(({ value }) => value.kind === 'text');
  const guard = update.revision !== null ? 'user' : isPlain ? 'none' : 'node';
  return {
    outcome: values.length > 0 ? 'updated' : 'unchanged',
    guard,
    revision: guard === 'none' ? NO_CHECK : (current?.revision ?? own),
    values,
    ...splitFiles(values, update.contents),
    found,
  };
}

/**
 * `conflict` passes the item on, `write` writes on the current revision.
 * @throws ServiceError `conflict` if the policy is to fail, or to merge and the same parts were changed: with both
 * revisions and the parts that differ.
 */
export function resolveConflict(update: Update, current: CurrentRecord): 'conflict' | 'write' {
  const { policy, values, revision } = update;
  if (policy === 'skip') return 'conflict';
  const written = values.flatMap(({ part, value }) => (value.kind === 'keep' ? [] : part));
  const touched = written.filter((part) => !isUntouched(update, current, part));
  if (policy !== 'fail' && touched.length === 0) return 'write';
  const differing = policy === 'fail' ? differentParts(update, current) : touched;
  const names = describeValues(differing.map(({ name }) => name)) || 'none of the parts to write';
  throw new ServiceError(
    'conflict',
    `The record ${current.id} was changed in the meantime: the item has revision ${revision}, the service ${current.revision}. Different since then: ${names}`,
    policy === 'merge'
      ? 'Only parts that were not changed are merged. Read the record again and decide which value is right.'
      : 'Read the record again, or select something else under "If the Record Was Changed".',
    { ids: [current.id] },
  );
}

/** Parts that differ from what the item knows of them, else from what they are to be; not the service's own. */
function differentParts(update: Update, current: CurrentRecord): readonly Part[] {
  const { known, values, context } = update;
  return update.parts.filter((part) => {
    if (part.system) return false;
    const now = valueOf(current.record, part, context);
    if (valueOf(known, part, context) !== undefined)
      return now !== undefined && !isUntouched(update, current, part);
    const value = values.find((each) => each.part === part)?.value ?? KEEP;
    return holds(part, value, now, context) !== true;
  });
}

/** Whether a part is known to be as the item last saw it. */
function isUntouched({ known, context }: Update, current: CurrentRecord, part: Part): boolean {
  const before = valueOf(known, part, context);
  const now = valueOf(current.record, part, context);
  if (before === undefined || now === undefined) return false;
  // A download adds the names of binary fields to files (parameters.md, "Record > Get").
  const isName = (key: string, value: unknown): boolean =>
    key === 'binary' && /^attachment_\d+$/.test(String(value));
  const text = JSON.stringify(before, (key, value: unknown) => (isName(key, value) ? undefined : value));
  if (text === JSON.stringify(now)) return true;
  return (
    part.codec.content === undefined && storedText(part, before, context) === storedText(part, now, context)
  );
}

/** What must be sent so that a record holds what is wanted; no values if it holds it all. */
function diff(update: Update, current: CurrentRecord | null, isFirst: boolean, found: Found): EncodedPart[] {
  const { values, skipUnchanged, stateOf, context, rowMode, policy, options } = update;
  const onlyChanges = skipUnchanged || (!isFirst && policy === 'overwrite');
  const terms: DiffTerms = { context, rowMode, onlyChanges, state: stateOf && update.contents, found };
  const record: Entry = current?.record ?? {};
  const plain = values.filter(({ value }) => value.kind === 'text');
  if (current !== null) assertOffered(plain, record, context);
  const lacking = [
    ...values.map((each) => ({ part: each.part, value: toSend(each, record, terms) })),
    ...changedTables(update, record, found),
  ];
  const sent = lacking.filter(({ value }) => value.kind !== 'keep');
  found.removed.push(...fileChanges(sent).flatMap(({ value }) => value.remove));
  // The service looks up values by these, so they are sent along with any change.
  const isSentAlong = ({ part, value }: EncodedPart): boolean =>
    options.relookupKeyParts.includes(part.id) &&
    !sent.some((each) => each.part === part) &&
    !hasUnoffered([{ part, value }]);
  return sent.length === 0 ? [] : [...sent, ...plain.filter(isSentAlong)];
}

/** What to send for one value: nothing to be sent is `keep`. @throws ServiceError if the record does not show it. */
function toSend({ part, value }: EncodedPart, record: Entry, terms: DiffTerms): WriteValue {
  if (value.kind === 'rows') {
    if (terms.rowMode === 'merge' && value.rows.length === 0) return KEEP;
    return rowsToSend(part, value.rows, shownIn(record, part, terms.context), terms);
  }
  if (value.kind === 'empty') {
    const shown = valueOf(record, part, terms.context);
    if (terms.onlyChanges && Array.isArray(shown) && shown.length === 0) return KEEP;
    if (part.codec.content === 'rows') return { kind: 'rows', rows: [] };
    const remove = filesOf(shownIn(record, part, terms.context))!.map(({ id }) => id);
    return remove.length === 0 ? KEEP : { kind: 'files', add: [], remove };
  }
  if (value.kind === 'files') shownIn(record, part, terms.context);
  const lacking = lackOf({ part, value }, record, terms);
  // A choice that is no longer offered is not written back.
  return value.kind === 'text' && !terms.onlyChanges && value.unoffered === undefined ? value : lacking;
}

/** The table parts with changes of single rows. @throws ServiceError if the record does not show the rows. */
function changedTables(
  { rowChanges = [], context, skipUnchanged }: Update,
  record: Entry,
  found: Found,
): EncodedPart[] {
  const outcomes = new Map<RowChange, RowOutcome>();
  const values = groupBy(rowChanges, ({ table }) => table.id).map((changes) => {
    const [{ table: part }] = changes;
    const stored = shownIn(record, part, context);
    const changed = changeRows(part, changes, stored, context, skipUnchanged);
    changes.forEach((change, index) => outcomes.set(change, changed.outcomes[index]!));
    return { part, value: changed.value };
  });
  found.outcomes.push(...rowChanges.map((change) => outcomes.get(change)!));
  return values;
}

/** The rows or files of a part. @throws ServiceError if the record does not show them. */
function shownIn(record: Entry, part: Part, context: WriteContext): readonly unknown[] {
  const shown = valueOf(record, part, context);
  if (Array.isArray(shown)) return shown as readonly unknown[];
  const what = part.codec.content === 'rows' ? 'rows' : 'attachments';
  throw notShown(`The ${what} of ${namePart(part)} cannot be changed: the record does not show them`);
}

/** What a first plan would have found if all that is to be removed was there, where that is no longer known. */
export function assumedFound({ values, rowChanges = [] }: Update): Found {
  const outcomes = rowChanges.map((change): RowOutcome =>
    change.kind === 'delete'
      ? { outcome: 'deleted', ids: change.ids, notFound: [] }
      : { outcome: 'notFound', ids: [], notFound: [] },
  );
  return { removed: fileChanges(values).flatMap(({ value }) => value.remove), outcomes, otherFiles: 0 };
}

/**
 * What the first and the last plan found out: what was there at first and is gone was removed.
 * @param wasLost whether an answer was lost in between: what was to be changed is not called unchanged then.
 */
export function joinFound(first: Found, last: Found, wasLost: boolean): Found {
  const removed = [...new Set([...first.removed, ...last.removed])];
  const outcomes = last.outcomes.map((each, index): RowOutcome => {
    const before = first.outcomes[index];
    if (before?.outcome === 'deleted') return before;
    const isDone = wasLost && each.outcome === 'unchanged' && before?.outcome !== 'unchanged';
    return isDone ? { ...each, outcome: 'updated' } : each;
  });
  return { ...last, removed, outcomes };
}

/** Whether a row that is to be changed is not there, and was there at first. */
export function lacksRow(last: Found, first?: Found): boolean {
  const isMissing = (found: Found, index: number): boolean => found.outcomes[index]?.outcome === 'notFound';
  return last.outcomes.some((_, index) => isMissing(last, index) && !(first && isMissing(first, index)));
}

/** @throws ServiceError `conflict` if the record, as it is now, is another item's or nobody's. */
function assertSameKey(
  { parts, key }: NonNullable<Update['stateOf']>,
  { context }: Update,
  { id, record }: CurrentRecord,
): void {
  if (keyText(storedKey(parts, record, context)) === keyText(key)) return;
  throw new ServiceError(
    'conflict',
    `The record ${id} was changed in the meantime and no longer has the key of the item`,
    'Run the workflow again.',
    { ids: [id] },
  );
}
