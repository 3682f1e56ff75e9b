import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part } from '../../parts/model/part';
import { inSeries, settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, type ServiceError } from '../http/errors';
import { keyText, type MatchKey } from '../read/keyedRecords';
import { findMatches } from '../read/match';
import { valueOf } from '../../parts/types/entries';
import { type CurrentRecord, readCurrent } from '../read/records';
import { type Checkpoint, type Done, guarded } from './checkpoint';
import { contentsOf, countEqualFiles, filesOf, splitFiles } from './files';
import { finishFiles, hasSteps, type Sent } from './fileSteps';
import { insertForm, sendInsert, type WriteTarget } from './form';

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
type Inserted = { readonly done: Done } | { readonly other: string; readonly indeterminate: ServiceError };

/** Whether a write ended in an insert of which it is not known whether it was done. */
export function isLostInsert(error: unknown): error is ServiceError {
  return isIndeterminate(error) && error.details.action === 'insert_data';
}

/**
 * Adds a record (interface.md, "insert_data") with all its files. Sent once, whatever happens: where the answer was
 * lost, a record that is told by its key is looked for.
 * @param key `null` for a record that has none.
 * @throws ServiceError `outcomeUnknown` if that does not tell either: it has no key, no record holds it, or several do.
 */
export async function insertRecord(
  app: ApplicationSession,
  insert: Insert,
  key: InsertKey | null,
  checkpoint: Checkpoint,
): Promise<Inserted> {
  const { done } = checkpoint;
  if (done !== null && done.steps === undefined) return { done };
  return await guarded(checkpoint, async () => {
    const contents = await contentsOf(insert, insert.values);
    const sent: Sent = { ...splitFiles(insert.values, contents), contents, before: {} };
    const write = { app, insert, sent, checkpoint };
    const inserted = done === null ? await addOrFind(write, key) : { done };
    if ('done' in inserted) return { done: await finish(write, inserted.done) };
    checkpoint.failed(inserted.indeterminate);
    return inserted;
  });
}

interface Write {
  readonly app: ApplicationSession;
  readonly insert: Insert;
  readonly sent: Sent;
  readonly checkpoint: Checkpoint;
}

async function add({ app, insert, sent, checkpoint }: Write): Promise<Done> {
  if (checkpoint.indeterminate !== null) throw checkpoint.indeterminate;
  const id = await sendInsert(app, insertForm(app, sent.first, insert), sent.contents);
  return reach(sent, checkpoint, id);
}

/** Tells the checkpoint that the record is there. */
function reach(sent: Sent, checkpoint: Checkpoint, id: string): Done {
  const done: Done = { id, outcome: 'created', ...(hasSteps(sent) && { steps: 0 }) };
  checkpoint.recordProgress(done);
  return done;
}

async function finish({ app, insert, sent, checkpoint }: Write, done: Done): Promise<Done> {
  if (done.steps === undefined) return done;
  const target = { ...insert, id: done.id };
  const run = async (): Promise<Done> => await finishFiles(app, target, sent, done, checkpoint);
  return await inSeries(app.serialKey(done.id), run);
}

/**
 * Whether a record can be the one that an insert without an answer has added: nothing that it shows differs from what
 * was sent. What it does not show tells nothing.
 */
function mayBeInserted({ insert, sent }: Write, { record }: Pick<CurrentRecord, 'record'>): boolean {
  const { values, context } = insert;
  return values.every(({ part, value }) => {
    const shown = valueOf(record, part, context);
    const files = value.kind === 'files' ? filesOf(shown) : undefined;
    if (value.kind !== 'files' || files === undefined) return holds(part, value, shown, context) !== false;
    return (
      files.length <= value.add.length && countEqualFiles(value.add, files, sent.contents) === files.length
    );
  });
}

async function addOrFind(write: Write, key: InsertKey | null): Promise<Inserted> {
  const { app, insert, sent, checkpoint } = write;
  const added = await settle(async () => await add(write));
  if ('value' in added) return { done: added.value };
  const indeterminate = added.error;
  if (!isIndeterminate(indeterminate)) throw indeterminate;
  if (key === null) throw checkpoint.indeterminate === null ? withAdvice(indeterminate) : indeterminate;
  const { listed = null } = key;
  const isListed = listed !== null && mayBeInserted(write, listed);
  const found = isListed ? { value: listed } : await settle(async () => await findSingle(app, insert, key));
  // Not found, or not to be searched: both leave open what happened to the insert.
  if ('error' in found || found.value === null) throw indeterminate;
  const { id } = found.value;
  return mayBeInserted(write, found.value)
    ? { done: reach(sent, checkpoint, id) }
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

function withAdvice(failure: ServiceError): ServiceError {
  const advice =
    'Running the node again adds the items that were written once more, too. With Create or Update and a key of your own, the node could look it up.';
  return failure.reworded(failure.message, `${failure.description} ${advice}`);
}
