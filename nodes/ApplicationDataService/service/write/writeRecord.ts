import { inSeries } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { type CurrentRecord, readCurrent } from '../read/records';
import type { Checkpoint, Done } from './checkpoint';
import { fileChanges, hasSteps, splitFiles } from './files';
import { readAfter, sendFileSteps } from './fileSteps';
import { settleUpdate } from './settle';
import { needsCurrent, planUpdate, type Update, type WritePlan } from './update';

/**
 * Changes one record (interface.md, "update_data") with all its files: never blindly twice, never over somebody else's
 * rows. Works on one record that read it run one after the other in this process.
 * @param known the record, where it is known already.
 * @throws as `settleUpdate` and `sendFileSteps`.
 */
export async function writeRecord(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null = null,
): Promise<Done> {
  const { done } = checkpoint;
  if (done !== null && done.steps === undefined) return done;
  // Sync compares again what an earlier try has begun.
  const run = async (): Promise<Done> =>
    done !== null && update.stateOf === undefined
      ? await finishAgain(app, update, done, checkpoint)
      : await change(app, update, checkpoint, known);
  return await (needsCurrent(update) ? inSeries(app.serialKey(update.id), run) : run());
}

async function change(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null,
): Promise<Done> {
  const settled = await settleUpdate(app, update, known, checkpoint.indeterminate);
  const { plan, current } = settled;
  const { removed, outcomes, otherFiles } = plan.found;
  const isTelling = removed.length + outcomes.length + otherFiles > 0;
  const outcome = checkpoint.done?.outcome ?? plan.outcome;
  const done: Done = { id: update.id, outcome, ...(isTelling && { found: plan.found }) };
  const isOpen = plan.outcome === 'updated' && hasSteps(settled);
  checkpoint.recordProgress(isOpen ? { ...done, steps: 0 } : done);
  if (!isOpen) return done;
  const written = { ...settled, app, target: update, before: current!.record };
  return await sendFileSteps(written, done, checkpoint, null);
}

/** Does the steps that an earlier try has left open. What was there before its first request is no longer known. */
async function finishAgain(
  app: ApplicationSession,
  update: Update,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  const now = await readAfter(app, update);
  const again: Update = { ...update, policy: 'overwrite', revision: null };
  const { first, later } = splitFiles(planUpdate(again, now, false).values, update.contents);
  const left = fileChanges(first).map((each) => ({ ...each, value: { ...each.value, add: [] } }));
  const written = { app, target: update, first, later: [...later, ...left], before: null };
  return await sendFileSteps(written, done, checkpoint, checkpoint.indeterminate);
}

/** What a write would send first, and the record that this was planned on. Nothing is written. */
export async function planRecord(
  app: ApplicationSession,
  update: Update,
  known: CurrentRecord | null = null,
): Promise<{
  readonly plan: WritePlan & { readonly first: Update['values'] };
  readonly current: CurrentRecord;
}> {
  const current = known ?? (await readCurrent(app, update.id, update.context));
  const plan = planUpdate(update, current);
  return { plan: { ...plan, first: splitFiles(plan.values, update.contents).first }, current };
}
