import { settle } from '../../util/concurrently';
import { inTurn } from '../../util/turns';
import type { ApplicationSession } from '../application/session';
import { toServiceError, type ServiceError } from '../http/errors';
import { readCurrent, type CurrentRecord } from '../read/current';
import { guarded, type Checkpoint, type Done } from './checkpoint';
import { sentFiles } from './sentFiles';
import { NO_CHECK, updateForm } from './form';
import type { RecordWrite, WritePlan } from './plan';
import { sendUpdate } from './send';
import { isDone, isNotDone, settleDoubt, stillInDoubt } from './settle';
import { finishFiles } from './verifyFiles';

/** Times that a write is made again because somebody else was quicker. */
const MAX_ROUNDS = 60;

/** Longest wait between two rounds, in milliseconds. */
const LONGEST_PAUSE_MS = 1000;

/** Times that an update whose answer was lost, and which was seen not to be done, is sent again. */
const MAX_LOST = 3;

/**
 * Changes one record (interface.md, "update_data"), then verifies its attachments: never blindly twice, never over
 * somebody else's rows, and distinguished from other failures by reading the revision.
 * @throws whatever `plan` throws; ServiceError as the service or the connection failed, `outcomeUnknown` where even
 * reading the record does not tell.
 */
export async function writeRecord(
  app: ApplicationSession,
  write: RecordWrite,
  checkpoint: Checkpoint,
): Promise<Done> {
  return await guarded(checkpoint, async () => {
    const done = checkpoint.done ?? (await change(app, write, checkpoint));
    return await finishFiles(app, write, done, checkpoint);
  });
}

async function change(app: ApplicationSession, write: RecordWrite, checkpoint: Checkpoint): Promise<Done> {
  const { doubt } = checkpoint;
  const settled = doubt === null ? null : await settleDoubt(app, write, doubt);
  if (settled !== null) return reach(write, checkpoint, settled, null);
  if (!write.needsCurrent) return await changeInRounds(app, write, null, checkpoint);
  const key = JSON.stringify([app.client.address, app.application.id, write.id]);
  return await inTurn(key, async () => {
    const current = await readCurrent(app, write.id, write.context);
    return await changeInRounds(app, write, current, checkpoint);
  });
}

/** Tells the checkpoint what was done. */
function reach(
  { id, context }: RecordWrite,
  checkpoint: Checkpoint,
  { outcome, values, found }: WritePlan,
  before: CurrentRecord | null,
): Done {
  const unverified =
    before === null || outcome !== 'updated' ? undefined : sentFiles(values, before.record, context, true);
  const done: Done = {
    id,
    outcome,
    ...(found !== undefined && { found }),
    ...(unverified !== undefined && { unverified }),
  };
  checkpoint.reached(done);
  return done;
}

async function changeInRounds(
  app: ApplicationSession,
  write: RecordWrite,
  first: CurrentRecord | null,
  checkpoint: Checkpoint,
): Promise<Done> {
  let current = first;
  const doubts: ServiceError[] = [];
  for (let round = 1; ; round++) {
    const plan = write.plan(current);
    if (plan.outcome !== 'updated') return reach(write, checkpoint, plan, current);
    const failure = await send(app, write, plan);
    if (failure === null) return reach(write, checkpoint, plan, current);
    if (failure.kind === 'outcomeUnknown') doubts.push(failure);
    const now = await readAfter(doubts[0] ?? failure, app, write);
    const moved = now.revision !== plan.revision;
    // A lost update may be done late: then it is the one that moved the revision under a later round.
    if (doubts.length > 0 && isDone(plan, now, write.context)) return reach(write, checkpoint, plan, current);
    const again = isNotDone(failure, plan, now, doubts.length > 0);
    if (!again || doubts.length > MAX_LOST || round >= MAX_ROUNDS)
      throw moved && doubts[0] !== undefined ? stillInDoubt(doubts[0], now) : failure;
    current = now;
    await app.client.pause(Math.min(round * 20, LONGEST_PAUSE_MS));
  }
}

/** Sends a plan; returns the failure that reading the record may settle, and throws any other. */
async function send(
  app: ApplicationSession,
  write: RecordWrite,
  { revision, values }: WritePlan,
): Promise<ServiceError | null> {
  const form = updateForm(app, write.id, revision, values, write);
  const sent = await settle(async () => await sendUpdate(app, form, write.uploadSource));
  if ('value' in sent) return null;
  const failure = toServiceError(sent.error).about(write.id);
  const isOpen = failure.kind === 'outcomeUnknown' || (failure.kind === 'refused' && revision !== NO_CHECK);
  if (isOpen) return failure;
  throw failure;
}

/** The record as it is after a failure. If it cannot be read either, the failure stays as it is. */
async function readAfter(
  failure: ServiceError,
  app: ApplicationSession,
  { id, context }: RecordWrite,
): Promise<CurrentRecord> {
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) throw failure;
  return read.value;
}
