import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../parts/model/part';
import { inSeries } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { type CurrentRecord, readCurrent } from '../read/records';
import { reconcile, type RecordWrite, sendUntilDone, type WritePlan } from './attempts';
import { type Checkpoint, type Done, guarded, isUnverified, packValues, partsBefore } from './checkpoint';
import { type ConflictPolicy, resolveConflict } from './conflict';
import { type Desired, diff, type DiffTerms, isPlain, needsGuard } from './diff';
import { changesFiles } from './files';
import { finishFiles } from './finishFiles';
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

/**
 * Changes one record (interface.md, "update_data"), then verifies its attachments: never blindly twice, never over
 * somebody else's rows. Works on one record run one after the other in this process, from reading it until its files
 * are verified.
 * @throws whatever `plan` throws; ServiceError as the service or the connection failed, `outcomeUnknown` where even
 * reading the record does not tell.
 */
export async function writeRecord(
  app: ApplicationSession,
  write: RecordWrite,
  checkpoint: Checkpoint,
): Promise<Done> {
  return await guarded(checkpoint, async () => {
    const run = async (): Promise<Done> => {
      const done = checkpoint.done ?? (await change(app, write, checkpoint));
      return isUnverified(done) ? await finishFiles(app, write, done, checkpoint) : done;
    };
    const isSerial = write.needsCurrent || (checkpoint.done !== null && isUnverified(checkpoint.done));
    return isSerial ? await inSeries(app.serialKey(write.id), run) : await run();
  });
}

async function change(app: ApplicationSession, write: RecordWrite, checkpoint: Checkpoint): Promise<Done> {
  const { id, context, needsCurrent } = write;
  const { indeterminate } = checkpoint;
  const start =
    indeterminate === null
      ? { current: needsCurrent ? await readCurrent(app, id, context) : null, before: null }
      : await reconcile(app, write, indeterminate);
  const { plan, current, isAnswered, said } =
    'written' in start ? start.written : await sendUntilDone(app, write, start);
  const done: Done = { id, outcome: plan.outcome };
  if (plan.found !== undefined) done.found = plan.found;
  if (said !== undefined) done.said = said;
  if (current !== null && plan.outcome === 'updated' && changesFiles(plan.values)) {
    const values = plan.values.filter((each) => changesFiles([each]));
    done.pending = {
      values: packValues(values) as unknown as IDataObject[],
      before: partsBefore(
        values.map(({ part }) => part),
        current,
        context,
      ),
      revision: plan.revision,
      isAnswered,
    } as unknown as Done['pending'] & IDataObject;
  }
  checkpoint.recordProgress(done);
  return done;
}
