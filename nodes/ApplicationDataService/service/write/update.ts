import { storedKey } from '../../parts/compare';
import { type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { Part } from '../../parts/model/part';
import { keyText, type MatchKey } from '../read/keyedRecords';
import type { CurrentRecord } from '../read/records';
import { ConflictError, type ConflictPolicy, resolveConflict } from './conflict';
import { type Desired, diff, type DiffTerms, type Found } from './diff';
import { type Contents, NO_CHECK, type WriteTarget } from './form';
import { fileChanges } from './files';
import type { RowOutcome } from './rowChanges';
import type { Guard } from './verdict';

/** What to change of one record, and how. */
export interface Update extends WriteTarget, Desired {
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** The item's json: where it holds a part under its key, that is the value that the item goes by. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly rowMode: DiffTerms['rowMode'];
  readonly skipUnchanged: boolean;
  /** All parts of the application. */
  readonly parts: readonly Part[];
  /**
   * For Sync: the key by which the record was found. What is given is then a state that the record is to hold: only
   * what differs is sent, under the revision that was compared, while the record has the key.
   */
  readonly stateOf?: { readonly parts: readonly Part[]; readonly key: MatchKey };
}

/** What is to be sent. */
export interface WritePlan {
  readonly outcome: 'updated' | 'unchanged' | 'conflict';
  readonly guard: Guard;
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  readonly found: Found;
}

const NOTHING_FOUND: Found = { removed: [], outcomes: [], otherFiles: 0 };

/** Whether a plan can only be made with the record in hand: for all but plain values, all of them offered. */
export function needsCurrent(update: Update): boolean {
  const { skipUnchanged, stateOf, values, emptied, rowChanges = [] } = update;
  if (skipUnchanged || stateOf !== undefined || emptied.length + rowChanges.length > 0) return true;
  return hasUnoffered(values) || values.some(({ value }) => value.kind === 'files' || value.kind === 'rows');
}

/**
 * What to send so that a record is as an update wants it.
 * @param current the record as it is; `null` if it was not read, see `needsCurrent`.
 * @param isFirst whether nothing was sent before.
 * @throws ConflictError where the policy says so; UserError and ServiceError as `diff`.
 */
export function planUpdate(
  update: Update,
  current: CurrentRecord | null,
  contents: Contents,
  isFirst = true,
): WritePlan {
  const { context, rowMode, options, stateOf } = update;
  if (stateOf !== undefined) assertSameKey(stateOf, update, current!);
  const own = update.revision ?? NO_CHECK;
  const hasMoved = current !== null && own !== NO_CHECK && current.revision !== own;
  if (hasMoved && resolveConflict({ ...update, revision: own, current }) === 'conflict')
    return { outcome: 'conflict', guard: 'user', revision: own, values: [], found: NOTHING_FOUND };
  const { values, found } = diff(update, current, {
    context,
    rowMode,
    relookupKeyParts: options.relookupKeyParts,
    onlyChanges: sendsOnlyChanges(update, isFirst),
    contents: stateOf && contents,
  });
  const guard = guardOf(update, values);
  return {
    outcome: values.length > 0 ? 'updated' : 'unchanged',
    guard,
    revision: guard === 'none' ? NO_CHECK : (current?.revision ?? own),
    values,
    found,
  };
}

function sendsOnlyChanges({ skipUnchanged, stateOf, policy }: Update, isFirst: boolean): boolean {
  return skipUnchanged || stateOf !== undefined || (!isFirst && policy === 'overwrite');
}

/** Rows and files count for the record as it was read only. */
function guardOf({ revision, stateOf }: Update, values: readonly EncodedPart[]): Guard {
  if (revision !== null) return 'user';
  return stateOf === undefined && values.every(({ value }) => value.kind === 'text') ? 'none' : 'node';
}

/** What a first plan would have found if all that is to be removed was there, where that is no longer known. */
export function assumedFound({ values, rowChanges = [] }: Update): Found {
  const outcomes = rowChanges.map((change): RowOutcome =>
    change.kind === 'delete'
      ? { outcome: 'deleted', ids: change.ids, notFound: [] }
      : { outcome: 'notFound', ids: [], notFound: [] },
  );
  const removed = fileChanges(values).flatMap(({ value }) => value.remove);
  return { removed, outcomes, otherFiles: 0 };
}

/** What the first and the last plan found out: what was there at first and is gone was removed. */
export function joinFound(first: Found, last: Found): Found {
  return {
    ...last,
    removed: [...new Set([...first.removed, ...last.removed])],
    outcomes: last.outcomes.map((each, index) =>
      first.outcomes[index]?.outcome === 'deleted' ? first.outcomes[index] : each,
    ),
  };
}

/** @throws ConflictError if the record, as it is now, is another item's or nobody's. */
function assertSameKey(
  { parts, key }: NonNullable<Update['stateOf']>,
  { context }: Update,
  { id, record }: CurrentRecord,
): void {
  if (keyText(storedKey(parts, record, context)) === keyText(key)) return;
  throw new ConflictError(
    `The record ${id} was changed in the meantime and no longer has the key of the item`,
    'Run the workflow again.',
    [id],
  );
}
