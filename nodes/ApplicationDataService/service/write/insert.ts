import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part } from '../../parts/model/part';
import { inSeries, settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, type ServiceError } from '../http/errors';
import { keyText, type MatchKey } from '../read/keyedRecords';
import { findMatches } from '../read/match';
import { type CurrentRecord, readCurrent, valueOf } from '../read/records';
import { type Checkpoint, type Done, guarded, isUnverified } from './checkpoint';
import { changesFiles } from './files';
import { insertForm, sendInsert, type WriteTarget } from './form';
import { finishFiles } from './writeRecord';

export interface Insert extends Omit<WriteTarget, 'id'> {
  readonly values: readonly EncodedPart[];
}

/** The key of a record of which there is to be one only. */
interface InsertKey {
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** The record with the key, if one was listed after the insert of an earlier try. */
  readonly listed?: Pick<CurrentRecord, 'id' | 'record'> | null;
}

/**
 * What happened to an insert. `other`: the answer was lost, and the one record that holds the key is somebody else's,
 * or was changed since.
 */
type Inserted = { readonly done: Done } | { readonly other: string; readonly indeterminate: Error };

/** Whether a write ended in an insert of which it is not known whether it was done. */
export function isLostInsert(error: unknown): error is ServiceError {
  return isIndeterminate(error) && error.details.action === 'insert_data';
}

/**
 * Adds a record (interface.md, "insert_data"), then verifies its attachments. Sent once, whatever happens.
 * @throws ServiceError `outcomeUnknown` if the answer was lost.
 */
export async function insertRecord(
  app: ApplicationSession,
  insert: Insert,
  checkpoint: Checkpoint,
): Promise<Done> {
  return await guarded(checkpoint, async () => {
    const done = checkpoint.done ?? (await add(app, insert, checkpoint));
    return await finish(app, insert, done, checkpoint);
  });
}

/**
 * The same for a record that is told by its key: where the answer was lost, it is looked for.
 * @throws ServiceError `outcomeUnknown` if that does not tell either: no record holds the key, or several do.
 */
export async function insertKeyed(
  app: ApplicationSession,
  insert: Insert,
  key: InsertKey,
  checkpoint: Checkpoint,
): Promise<Inserted> {
  return await guarded(checkpoint, async () => {
    const inserted: Inserted =
      checkpoint.done === null ? await addOrFind(app, insert, key, checkpoint) : { done: checkpoint.done };
    if ('done' in inserted) return { done: await finish(app, insert, inserted.done, checkpoint) };
    checkpoint.failed(inserted.indeterminate);
    return inserted;
  });
}

async function add(app: ApplicationSession, insert: Insert, checkpoint: Checkpoint): Promise<Done> {
  if (checkpoint.indeterminate !== null) throw checkpoint.indeterminate;
  const form = insertForm(app, insert.values, insert);
  return reach(insert, checkpoint, await sendInsert(app, form, insert.uploadSource), true);
}

/** Tells the checkpoint that the record is there. */
function reach(insert: Insert, checkpoint: Checkpoint, id: string, isAnswered: boolean): Done {
  const done: Done = { id, outcome: 'created' };
  if (changesFiles(insert.values)) done.pending = { before: {}, revision: null, isAnswered };
  checkpoint.recordProgress(done);
  return done;
}

async function finish(
  app: ApplicationSession,
  insert: Insert,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  if (!isUnverified(done)) return done;
  const target = { ...insert, id: done.id };
  return await inSeries(
    app.serialKey(done.id),
    async () => await finishFiles(app, target, insert.values, done, checkpoint),
  );
}

/**
 * Whether a record can be the one that an insert without an answer has added: nothing that it shows differs from what
 * was sent. What it does not show tells nothing, and whether files lack turns out when they are verified.
 */
function mayBeInserted({ values, context }: Insert, { record }: Pick<CurrentRecord, 'record'>): boolean {
  return values.every(
    ({ part, value }) => holds(part, value, valueOf(record, part, context), context) !== false,
  );
}

async function addOrFind(
  app: ApplicationSession,
  insert: Insert,
  key: InsertKey,
  checkpoint: Checkpoint,
): Promise<Inserted> {
  const added = await settle(async () => await add(app, insert, checkpoint));
  if ('value' in added) return { done: added.value };
  const indeterminate = added.error;
  if (!isIndeterminate(indeterminate)) throw indeterminate;
  const { listed = null } = key;
  const isListed = listed !== null && mayBeInserted(insert, listed);
  const found = isListed ? { value: listed } : await settle(async () => await findSingle(app, insert, key));
  // Not found, or not to be searched: both leave open what happened to the insert.
  if ('error' in found || found.value === null) throw indeterminate;
  const { id } = found.value;
  return mayBeInserted(insert, found.value)
    ? { done: reach(insert, checkpoint, id, false) }
    : { other: id, indeterminate };
}

/** The record that holds a key; `null` if none does, or more than one. */
async function findSingle(
  app: ApplicationSession,
  { context }: Insert,
  { parts, key }: InsertKey,
): Promise<CurrentRecord | null> {
  const [match, ...others] = (await findMatches(app, parts, [key], context)).get(keyText(key)) ?? [];
  return match === undefined || others.length > 0 ? null : await readCurrent(app, match.id, context);
}
