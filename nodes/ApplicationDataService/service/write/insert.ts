import type { EncodedPart } from '../../parts/record';
import { settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isDoubt } from '../http/errors';
import { guarded, type Checkpoint, type Done } from './checkpoint';
import { sentFiles } from './sentFiles';
import { insertForm } from './form';
import { sendInsert, type WriteTarget } from './send';
import { finishFiles } from './verifyFiles';

/** A record to add. */
export interface Insert extends Omit<WriteTarget, 'id'> {
  readonly values: readonly EncodedPart[];
  /** Finds the record of an insert whose answer was lost: its id, or `null` where it is not there, or not alone. */
  readonly lookUp?: () => Promise<string | null>;
}

/**
 * Adds a record (interface.md, "insert_data"), then verifies its attachments. Sent once, whatever happens.
 * @throws ServiceError `outcomeUnknown` where even looking for the record does not tell whether it was added.
 */
export async function insertRecord(
  app: ApplicationSession,
  insert: Insert,
  checkpoint: Checkpoint,
): Promise<Done> {
  return await guarded(checkpoint, async () => {
    const done = checkpoint.done ?? (await add(app, insert, checkpoint));
    return await finishFiles(app, { ...insert, id: done.id }, done, checkpoint);
  });
}

async function add(app: ApplicationSession, insert: Insert, checkpoint: Checkpoint): Promise<Done> {
  const { id, isAnswered } = await idOf(app, insert, checkpoint.doubt);
  const unverified = sentFiles(insert.values, { id, revision: null }, insert.context, isAnswered);
  const done: Done = { id, outcome: 'created', ...(unverified !== undefined && { unverified }) };
  checkpoint.reached(done);
  return done;
}

/** The id of the record: that of a new one, or, where an insert is in doubt, of the one that it added. */
async function idOf(
  app: ApplicationSession,
  insert: Insert,
  earlierDoubt: Error | null,
): Promise<{ readonly id: string; readonly isAnswered: boolean }> {
  let doubt = earlierDoubt;
  if (doubt === null) {
    const form = insertForm(app, insert.values, insert);
    const sent = await settle(async () => await sendInsert(app, form, insert.uploadSource));
    if ('value' in sent) return { id: sent.value, isAnswered: true };
    if (!isDoubt(sent.error)) throw sent.error;
    doubt = sent.error;
  }
  const found = await settle(async () => (await insert.lookUp?.()) ?? null);
  // Not found, or not to be searched: both leave open what became of the insert.
  if ('error' in found || found.value === null) throw doubt;
  return { id: found.value, isAnswered: false };
}
