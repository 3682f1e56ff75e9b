import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import { inSeries, settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, type ServiceError } from '../http/errors';
import { findMatches, type KeyedRecord, keyText, type MatchKey } from '../read/keyedRecords';
import type { Checkpoint, Done } from './checkpoint';
import { countEqualFiles, filesOf, hasSteps, type Split, splitFiles } from './files';
import { sendFileSteps } from './fileSteps';
import { insertForm, sendInsert, type WriteTarget } from './form';
import type { Update } from './update';
import { writeRecord } from './writeRecord';

export interface Insert extends Omit<WriteTarget, 'id'> {
  readonly values: readonly EncodedPart[];
}

/** The key of a record of which there is to be one only. */
interface InsertKey {
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** How a record with this key is changed that somebody else has added. */
  readonly update: Update;
}

interface Write {
  readonly app: ApplicationSession;
  readonly insert: Insert;
  readonly checkpoint: Checkpoint;
  readonly split: Split;
}

/** Whether a write ended in an insert of which it is not known whether it was done. */
export function isLostInsert(error: unknown): error is ServiceError {
  return isIndeterminate(error) && error.details.action === 'insert_data';
}

/**
 * Adds a record (interface.md, "insert_data") with all its files. Sent once, whatever happens: where the answer was
 * lost, a record that is told by its key is looked for. One that differs is somebody else's, or was changed since: it
 * is changed, where that is to be overwritten with plain values.
 * @throws ServiceError `outcomeUnknown` if that does not tell either: it has no key, no record holds it, or several do.
 */
export async function insertRecord(
  app: ApplicationSession,
  insert: Insert,
  key: InsertKey | null,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { done, indeterminate } = checkpoint;
  if (done !== null && done.steps === undefined) return done;
  const split = splitFiles(insert.values, insert.contents);
  const write = { app, insert, checkpoint, split };
  if (done !== null) return await finish(write, done, indeterminate);
  const sent =
    indeterminate === null
      ? await settle(async () => await sendInsert(app, insertForm(app, split.first, insert), insert.contents))
      : { error: indeterminate };
  if ('value' in sent) return await reach(write, sent.value);
  if (!isIndeterminate(sent.error)) throw sent.error;
  return await settleLost(write, key, sent.error);
}

/** Tells the checkpoint that the record is there, and sends the files that follow. */
async function reach(write: Write, id: string): Promise<Done> {
  const done: Done = { id, outcome: 'created', ...(hasSteps(write.split) && { steps: 0 }) };
  write.checkpoint.recordProgress(done);
  return done.steps === undefined ? done : await finish(write, done, null);
}

async function finish(write: Write, done: Done, doubt: ServiceError | null): Promise<Done> {
  const { app, insert, checkpoint, split } = write;
  const written = { ...split, app, target: { ...insert, id: done.id }, before: {} };
  const run = async (): Promise<Done> => await sendFileSteps(written, done, checkpoint, doubt);
  return await inSeries(app.serialKey(done.id), run);
}

/** The docs/dev/guarantees.md table, row 14. */
async function settleLost(write: Write, key: InsertKey | null, lost: ServiceError): Promise<Done> {
  const { app, insert, checkpoint } = write;
  if (key === null) throw checkpoint.indeterminate === null ? withAdvice(lost) : lost;
  const found = await settle(async () => await findSingle(app, insert, key));
  // Not found, or not to be searched: both leave open what happened to the insert.
  if ('error' in found) throw lost.unread(found.error);
  if (found.value === null) throw lost;
  const { id } = found.value;
  if (mayBeInserted(write, found.value)) return await reach(write, id);
  // That record may already contain the rows and files. Adding them again could duplicate them.
  const { update } = key;
  const isPlain = update.emptied.length === 0 && insert.values.every(({ value }) => value.kind === 'text');
  if (update.policy !== 'overwrite' || !isPlain) throw lost;
  return await writeRecord(app, { ...update, id }, { ...checkpoint, done: null, indeterminate: null });
}

/** The record that holds a key, with what was inserted; `null` if none does, or more than one. */
async function findSingle(
  app: ApplicationSession,
  { context, values }: Insert,
  { parts, key }: InsertKey,
): Promise<KeyedRecord | null> {
  const alsoRead = values.map(({ part }) => part);
  const [match, ...others] =
    (await findMatches(app, parts, [key], context, alsoRead)).found.get(keyText(key)) ?? [];
  return match === undefined || others.length > 0 ? null : match;
}

/** Whether nothing that a record shows differs from what was sent, so that a lost insert may have added it. */
function mayBeInserted({ insert: { values, context, contents } }: Write, { record }: KeyedRecord): boolean {
  return values.every(({ part, value }) => {
    const shown = valueOf(record, part, context);
    const files = value.kind === 'files' ? filesOf(shown) : undefined;
    if (value.kind !== 'files' || files === undefined) return holds(part, value, shown, context) !== false;
    return files.length <= value.add.length && countEqualFiles(value.add, files, contents) === files.length;
  });
}

function withAdvice(failure: ServiceError): ServiceError {
  const advice =
    'Running the node again adds the items that were written once more, too. With Create or Update and a key of your own, the node could look it up.';
  return failure.reworded(failure.message, `${failure.description} ${advice}`);
}
