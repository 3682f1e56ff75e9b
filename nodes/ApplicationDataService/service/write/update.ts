import type { Part } from '../../parts/model/part';
import type { CurrentRecord } from '../read/records';
import type { RecordWrite, WritePlan } from './attempts';
import { type ConflictPolicy, resolveConflict } from './conflict';
import { type Desired, diff, type DiffTerms, isPlain, needsGuard } from './diff';
import { changesFiles } from './files';
import { NO_CHECK, type WriteTarget } from './form';

/** What to change of one record, and how. */
export interface Update extends WriteTarget, Desired {
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** The item's json, for what it knows of the parts' old values. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly rowMode: DiffTerms['rowMode'];
  readonly skipUnchanged: boolean;
  /** All parts of the application. */
  readonly parts: readonly Part[];
}

/** An update as a write of a record. Its plan throws UserError where the policy says so, or rows cannot be merged. */
export function updateWrite(update: Update): RecordWrite {
  const { values, emptied, rowChanges = [] } = update;
  return {
    ...update,
    needsCurrent: update.skipUnchanged || !isPlain(update),
    concerns: [...values.map(({ part }) => part), ...emptied, ...rowChanges.map(({ table }) => table)],
    comparesAgain: rowChanges.length === 0 && !changesFiles(values),
    plan: (current, before) => planOf(update, current, before),
  };
}

function planOf(update: Update, current: CurrentRecord | null, before: CurrentRecord | null): WritePlan {
  const { policy, context, rowMode, options } = update;
  const own = policy === 'overwrite' ? NO_CHECK : (update.revision ?? NO_CHECK);
  const hasMoved = current !== null && own !== NO_CHECK && current.revision !== own;
  if (hasMoved && resolveConflict({ ...update, revision: own, current }) === 'conflict')
    return { outcome: 'conflict', guard: 'user', revision: own, values: [] };
  const { values, rowOutcomes } = diff(update, current, {
    context,
    rowMode,
    relookupKeyParts: options.relookupKeyParts,
    onlyChanges: update.skipUnchanged || (before !== null && policy === 'overwrite'),
    before,
  });
  const outcome = values.length > 0 ? 'updated' : 'unchanged';
  const found =
    rowOutcomes.length > 0 ? { found: { outcomes: rowOutcomes.map((each) => ({ ...each })) } } : {};
  if (own !== NO_CHECK)
    return { outcome, guard: 'user', revision: hasMoved ? current.revision : own, values, ...found };
  // Rows and files count for the record as it was read only.
  if (current === null || !needsGuard(values))
    return { outcome, guard: 'none', revision: NO_CHECK, values, ...found };
  return { outcome, guard: 'node', revision: current.revision, values, ...found };
}
