import { holds, storedKey, storedText } from '../../parts/compare';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import { KEEP, type Part, type WriteContext, type WriteValue } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import { describeValues } from '../../parts/values/describe';
import type { Entry } from '../../parts/values/shapes';
import { groupBy } from '../../util/groupBy';
import { ServiceError } from '../http/errors';
import { keyText } from '../read/keyedRecords';
import type { ShownRecord } from '../read/records';
import type { ItemOutcome } from './checkpoint';
import { filesOf, lackOf } from './files';
import { NO_CHECK } from './form';
import { idsThere, removalsOf, removing, shownIn, withoutRemovals } from './removals';
import { changeRows, type DiffTerms, rowsToSend } from './rows';
import type { Change, FileRemoval, Removal, Update } from './update';
import type { Guard } from './verdict';

/** What is to be sent, and what that comes to. */
export interface WritePlan {
  readonly guard: Guard;
  /** Revision for the service to check; 0 for none. `null` where the list that shows the record gives none. */
  readonly revision: number | null;
  /** Values of the next request; none if nothing is to be sent. All that is added travels with them. */
  readonly request: readonly EncodedPart[];
  /** Files that are there and are to be removed after it, one a request. */
  readonly removals: readonly Removal[];
  /** What each item comes to. */
  readonly items: readonly ItemOutcome[];
}

/**
 * What to send so that a record is as an update wants it.
 * @param current the record as it is; `null` if it was not read, see `needsCurrent`.
 * @param isFirst whether nothing was sent before.
 * @throws ServiceError: `conflict` where the policy says so, or if the record does not show rows or files; UserError
 * if rows cannot be changed safely.
 */
export function planUpdate(update: Update, current: ShownRecord | null, isFirst = true): WritePlan {
  if (update.isState) assertSameKey(update, current!);
  const { revision: own } = update;
  const hasMoved = current !== null && own !== null && current.revision !== own;
  if (hasMoved && resolveConflict(update, current) === 'conflict')
    return { guard: 'user', revision: own, request: [], removals: [], items: [{ outcome: 'conflict' }] };
  const added = diff(withoutRemovals(update), current, isFirst);
  const [next, ...later] = current === null ? [] : removalsOf(update, current.record);
  if (next === undefined) return planOf(update, current, added, []);
  // A row of which only files are removed is changed, too.
  const { outcomes } = diff(update, current, isFirst);
  if (added.values.length > 0) return planOf(update, current, { ...added, outcomes }, [next, ...later]);
  const { values } = diff(removalUpdate(update, next), current, isFirst);
  return planOf(update, current, { ...added, values, outcomes }, later);
}

/**
 * What is left of an update that an earlier try has sent, where what was there before it is no longer known.
 * @returns the plan that would be sent now, whether the record holds what the first request carried, and which files
 * are still to be removed.
 * @throws as `planUpdate`
 */
export function leftOf(
  update: Update,
  current: ShownRecord,
): { readonly plan: WritePlan; readonly isHeld: boolean; readonly removals: readonly Removal[] } {
  const anew: Update = { ...update, policy: 'overwrite', revision: null, sends: 'changes' };
  const adding = withoutRemovals(anew);
  const removals = removalsOf(anew, current.record);
  // Files are removed in requests of their own: they tell only where that is all.
  const isFirstARemoval = planUpdate({ ...adding, sends: 'all' }, current).request.length === 0;
  const isHeld = (isFirstARemoval ? removals : planUpdate(adding, current).request).length === 0;
  return { plan: planUpdate(anew, current), isHeld, removals };
}

function planOf(
  { revision: own, isState, changes }: Update,
  current: ShownRecord | null,
  { values, outcomes, otherFiles }: Difference,
  removals: readonly Removal[],
): WritePlan {
  // Rows and files count for the record as it was read only.
  const isPlain = !isState && values.every(({ value }) => value.kind === 'text');
  const guard = own !== null ? 'user' : isPlain ? 'none' : 'node';
  const read = current === null ? own : current.revision;
  const outcome = values.length > 0 ? 'updated' : 'unchanged';
  const item: ItemOutcome = otherFiles > 0 ? { outcome, otherFiles } : { outcome };
  return {
    guard,
    revision: guard === 'none' ? NO_CHECK : read,
    request: values,
    removals,
    items: changes === undefined ? [item] : outcomes,
  };
}

/** All that would change, the files to be removed included, as a dry run shows it. */
export function allChanges(update: Update, current: ShownRecord): readonly EncodedPart[] {
  return diff(update, current, true).values;
}

/** One file to be removed, as an update of its own, which looks no values up by key parts. */
export function removalUpdate(update: Update, removal: Removal): Update {
  return {
    ...update,
    policy: 'overwrite',
    revision: null,
    before: {},
    rowMode: 'merge',
    sends: 'changes',
    isState: false,
    values: [removing(removal)],
    changes: undefined,
    matched: undefined,
    options: { ...update.options, relookupKeyParts: [] },
  };
}

/** What must be sent so that a record holds what is wanted. */
interface Difference {
  readonly values: readonly EncodedPart[];
  /** What each change of single rows and files comes to. */
  readonly outcomes: readonly ItemOutcome[];
  readonly otherFiles: number;
}

function diff(update: Update, current: ShownRecord | null, isFirst: boolean): Difference {
  const { values, sends, isState, context, rowMode, policy, options, matched } = update;
  const onlyChanges = sends !== 'all' || (!isFirst && policy === 'overwrite');
  const state = isState ? update.contents : undefined;
  const counts = { otherFiles: 0 };
  const terms: DiffTerms = { context, rowMode, onlyChanges, state, counts };
  const record: Entry = current?.record ?? {};
  const plain = values.filter(({ value }) => value.kind === 'text');
  if (current !== null) assertOffered(plain, record, context);
  // A record that was found by its key has it, or somebody has changed it since: that stays.
  const given =
    sends === 'all' ? values : values.filter(({ part }) => matched?.parts.includes(part) !== true);
  const wanted = given.map((each) => ({ part: each.part, value: toSend(each, record, terms) }));
  const changed = tablesToSend(update, record);
  const sent = [...(sends === 'allOnChange' ? withOthers(given, wanted) : wanted), ...changed.values].filter(
    ({ value }) => value.kind !== 'keep',
  );
  // The service looks up values by these, so they are sent along with any change.
  const isSentAlong = ({ part, value }: EncodedPart): boolean =>
    options.relookupKeyParts.includes(part.id) &&
    !sent.some((each) => each.part === part) &&
    isOffered(value);
  return {
    values: sent.length === 0 ? [] : [...sent, ...plain.filter(isSentAlong)],
    outcomes: changed.outcomes,
    ...counts,
  };
}

/** Where the last writer is to win: once one plain value differs, all of them. @param wanted what differs of each */
function withOthers(given: readonly EncodedPart[], wanted: readonly EncodedPart[]): readonly EncodedPart[] {
  if (!wanted.some(({ value }) => value.kind === 'text')) return wanted;
  return wanted.map((each, index) => (isOffered(given[index]!.value) ? given[index]! : each));
}

/** Whether it may be sent where the record holds it: a choice that is no longer offered is not written back. */
function isOffered(value: WriteValue): boolean {
  return value.kind === 'text' && value.unoffered === undefined;
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
  return isOffered(value) && !terms.onlyChanges ? value : lackOf({ part, value }, record, terms);
}

/** Of changes of single rows and files: the tables to send, and what each comes to. @throws if these are not shown */
function tablesToSend(update: Update, record: Entry): Pick<Difference, 'values' | 'outcomes'> {
  const { changes = [], context, sends } = update;
  const outcomes = new Map<Change, ItemOutcome>();
  const ofRows = changes.flatMap((change) => (change.kind === 'removeFiles' ? [] : change));
  const values = groupBy(ofRows, ({ table }) => table.id).map((group) => {
    const [{ table: part }] = group;
    const changed = changeRows(part, group, shownIn(record, part, context), context, sends === 'changes');
    group.forEach((change, index) => outcomes.set(change, changed.outcomes[index]!));
    return { part, value: changed.value };
  });
  for (const change of changes)
    if (change.kind === 'removeFiles') outcomes.set(change, outcomeOfRemoval(change, record, context));
  return { values, outcomes: changes.map((change) => outcomes.get(change)!) };
}

function outcomeOfRemoval(removal: FileRemoval, record: Entry, context: WriteContext): ItemOutcome {
  const ids = idsThere(removal, record, context);
  const notFound = removal.ids.filter((id) => !ids.includes(id));
  return { outcome: ids.length > 0 ? 'deleted' : 'notFound', ids, notFound };
}

/** What changes come to that were done as they were meant, where what was there before is no longer known. */
export function asDone(changes: readonly Change[], now: readonly ItemOutcome[]): readonly ItemOutcome[] {
  return changes.map((change, index): ItemOutcome => {
    if ('ids' in change) return { outcome: 'deleted', ids: change.ids, notFound: [] };
    return now[index]!.outcome === 'unchanged' ? { outcome: 'updated' } : now[index]!;
  });
}

/**
 * What the first and the last plan come to: what was there at first and is gone was removed.
 * @param wasLost whether an answer was lost in between: what was to be changed is not called unchanged then.
 */
export function joinOutcomes(
  first: readonly ItemOutcome[],
  last: readonly ItemOutcome[],
  wasLost: boolean,
): readonly ItemOutcome[] {
  return last.map((each, index) => {
    const before = first[index]!;
    if (before.outcome === 'deleted') return before;
    const isDone = wasLost && each.outcome === 'unchanged' && before.outcome !== 'unchanged';
    return isDone ? { ...each, outcome: 'updated' } : each;
  });
}

/** @throws ServiceError `conflict` if the record, as it is now, is another item's or nobody's. */
function assertSameKey({ matched, context }: Update, { id, record }: ShownRecord): void {
  const { parts, key } = matched!;
  if (keyText(storedKey(parts, record, context)) === keyText(key)) return;
  throw new ServiceError(
    'conflict',
    `The record ${id} was changed in the meantime and no longer has the key of the item`,
    'Run the workflow again.',
    { ids: [id] },
  );
}

/**
 * `conflict` passes the item on, `write` writes on the current revision.
 * @throws ServiceError `conflict` if the policy is to fail, or to merge and the same parts were changed: with both
 * revisions and the parts that differ.
 */
export function resolveConflict(update: Update, current: ShownRecord): 'conflict' | 'write' {
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

/** Parts that differ from what the item saw of them, else from what they are to be; not the service's own. */
function differentParts(update: Update, current: ShownRecord): readonly Part[] {
  const { before, values, context } = update;
  return update.parts.filter((part) => {
    if (part.system) return false;
    const now = valueOf(current.record, part, context);
    if (valueOf(before, part, context) !== undefined)
      return now !== undefined && !isUntouched(update, current, part);
    const value = values.find((each) => each.part === part)?.value ?? KEEP;
    return holds(part, value, now, context) !== true;
  });
}

/** Whether a part is as the item last saw it, which both show. */
function isUntouched({ before, context }: Update, current: ShownRecord, part: Part): boolean {
  const was = valueOf(before, part, context);
  const is = valueOf(current.record, part, context);
  if (was === undefined || is === undefined) return false;
  // A download adds the names of binary fields to files (parameters.md, "Record > Get").
  const isName = (key: string, value: unknown): boolean =>
    key === 'binary' && /^attachment_\d+$/.test(String(value));
  const text = JSON.stringify(was, (key, value: unknown) => (isName(key, value) ? undefined : value));
  if (text === JSON.stringify(is)) return true;
  return part.codec.content === undefined && storedText(part, was, context) === storedText(part, is, context);
}
