import { inSeries } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { type Checkpoint, type Done, guarded } from './checkpoint';
import { contentsOf, fileChanges, splitFiles } from './files';
import { afterWriting, finishFiles, hasSteps } from './fileSteps';
import { settleUpdate } from './settle';
import { needsCurrent, planUpdate, type Update, type WritePlan } from './update';

/**
 * Changes one record (interface.md, "update_data") with all its files: never blindly twice, never over somebody else's
 * rows. Works on one record that read it run one after the other in this process.
 * @param known the record, where it is known already.
 * @returns what was done, also by an earlier try.
 * @throws as `settleUpdate` and `finishFiles`.
 */
export async function writeRecord(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null = null,
): Promise<Done> {
  const { done, indeterminate } = checkpoint;
  if (done !== null && done.steps === undefined) return done;
  return await guarded(checkpoint, async () => {
    if (done !== null && update.stateOf === undefined) {
      const finish = async (): Promise<Done> => await finishAgain(app, update, done, checkpoint);
      return await inSeries(app.serialKey(update.id), finish);
    }
    if (indeterminate !== null && !(indeterminate instanceof ServiceError)) throw indeterminate;
    const run = async (): Promise<Done> => await change(app, update, checkpoint, known, indeterminate);
    return needsCurrent(update) ? await inSeries(app.serialKey(update.id), run) : await run();
  });
}

async function change(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null,
  doubt: ServiceError | null,
): Promise<Done> {
  const contents = await contentsOf(update, filesIn(update));
  const settled = await settleUpdate(app, update, contents, known, doubt);
  const { plan, current, first, later } = settled;
  const done: Done = {
    id: update.id,
    // Sync compares again what an earlier try has begun.
    outcome: checkpoint.done?.outcome ?? plan.outcome,
    ...(Object.values(plan.found).some(isTelling) && { found: plan.found }),
  };
  const isOpen = plan.outcome === 'updated' && hasSteps(settled);
  checkpoint.recordProgress(isOpen ? { ...done, steps: 0 } : done);
  if (!isOpen) return done;
  const sent = { first, later, contents, before: current!.record };
  return await finishFiles(app, update, sent, { ...done, steps: 0 }, checkpoint);
}

/** Whether a list holds something, or a number is not 0. */
function isTelling(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== 0;
}

/** Does the steps that an earlier try has left open. What was there before its first request is no longer known. */
async function finishAgain(
  app: ApplicationSession,
  update: Update,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { contents, values } = await afterWriting(update.id, async () => {
    const files = await contentsOf(update, filesIn(update));
    const now = await readCurrent(app, update.id, update.context);
    const again: Update = { ...update, policy: 'overwrite', revision: null };
    return { contents: files, values: planUpdate(again, now, files, false).values };
  });
  const { first, later } = splitFiles(values, contents);
  const removals = fileChanges(first).filter(({ value }) => value.remove.length > 0);
  const sent = { first, contents, before: null };
  const left = removals.map((each) => ({ ...each, value: { ...each.value, add: [] } }));
  return await finishFiles(app, update, { ...sent, later: [...later, ...left] }, done, checkpoint);
}

/** What a write would send first, and the record that this was planned on. Nothing is written. */
export async function planRecord(
  app: ApplicationSession,
  update: Update,
): Promise<{
  readonly plan: WritePlan & { readonly first: Update['values'] };
  readonly current: CurrentRecord;
}> {
  const contents = await contentsOf(update, filesIn(update));
  const current = await readCurrent(app, update.id, update.context);
  const plan = planUpdate(update, current, contents);
  return { plan: { ...plan, first: splitFiles(plan.values, contents).first }, current };
}

/** The values of an update that may name files. */
function filesIn({ values, rowChanges = [] }: Update): Update['values'] {
  return [...values, ...rowChanges.flatMap((each) => (each.kind === 'delete' ? [] : each.values))];
}
