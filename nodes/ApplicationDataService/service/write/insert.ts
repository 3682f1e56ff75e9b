import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { valueOf } from '../../parts/types/entries';
import { readText } from '../../parts/values/shapes';
import { settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isInDoubt, ServiceError } from '../http/errors';
import { findMatches, type KeyedRecord, keyText } from '../read/keyedRecords';
import type { Checkpoint, Progress } from './checkpoint';
import { countEqualFiles, filesOf } from './files';
import { insertForm, sendForm, type WriteTarget } from './form';
import { arePlain, type KeyedUpdate } from './update';
import { assertFilesKept, assertNoFault, writeRecord } from './writeRecord';

export interface Insert extends Omit<WriteTarget, 'id'> {
  readonly values: readonly EncodedPart[];
}

/** Whether a write ended in doubt about an insert. */
export function isLostInsert(error: unknown): error is ServiceError {
  return isInDoubt(error) && error.details.action === 'insert_data';
}

/**
 * Adds a record (interface.md, "insert_data") with all its files. Sent once, whatever happens: where the answer was
 * lost, a record that is told by its key is looked for (docs/dev/guarantees.md, row 14). One that differs is somebody
 * else's, or was changed since: it is changed, where that is to be overwritten with plain values.
 * @param update how a record is changed that somebody else has added with its key; `null` if it has no key.
 * @throws ServiceError `inDoubt` if that does not tell either: it has no key, no record holds it, or several do.
 */
export async function insertRecord(
  app: ApplicationSession,
  insert: Insert,
  update: KeyedUpdate | null,
  checkpoint: Checkpoint,
): Promise<Progress> {
  const { progress, doubt } = checkpoint;
  if (progress !== null) {
    assertNoFault(progress);
    return progress;
  }
  const added = async (id: string): Promise<Progress> => {
    const reached: Progress = { id, items: [{ outcome: 'created' }] };
    checkpoint.recordProgress(reached);
    await assertFilesKept(
      app,
      { ...insert, id },
      { values: insert.values, before: {}, progress: reached },
      checkpoint,
    );
    return reached;
  };
  let lost = doubt;
  if (lost === null) {
    const sent = await settle(async () => await sendInsert(app, insert));
    if ('value' in sent) return await added(sent.value);
    if (!isInDoubt(sent.error)) throw sent.error;
    const { message, description } = sent.error;
    lost = sent.error.reworded(message, `${description}${adviceOf(update)}`);
  }
  if (update === null) throw lost;
  const match = await findLost(app, insert, update.matched, lost);
  if (mayBeInserted(insert, match)) return await added(match.id);
  // That record may already contain the rows and files. Adding them again could duplicate them.
  if (update.policy !== 'overwrite' || !arePlain(update.values)) throw lost;
  return await writeRecord(app, { ...update, id: match.id }, { ...checkpoint, progress: null, doubt: null });
}

/** What running the node again does after a lost insert. Rows and files would be added to what may be there. */
function adviceOf(update: KeyedUpdate | null): string {
  if (update === null)
    return ' Running the node again adds the items that were written once more, too. With Create or Update and a key of your own, the node could look it up.';
  if (!arePlain(update.values)) return '';
  return ' You can also run the node again with all items: it looks for their keys first, and adds only what is missing.';
}

/** Returns the ID of the record. @throws ServiceError */
async function sendInsert(app: ApplicationSession, insert: Insert): Promise<string> {
  const form = insertForm(app, insert.values, insert);
  const answer = await sendForm(app, form, insert.contents);
  // Where a service may return it (interface.md; service-facts, "Responses").
  const id = [answer.ID, answer.id, answer.data_id].map(readText).find((text) => text !== '');
  if (id !== undefined) return id;
  throw new ServiceError(
    'inDoubt',
    'The service added the record but did not return its ID',
    'The record exists. Do not run this item again; look for it in the application.',
    { action: form.action },
  );
}

/** The one record that holds the key, with what was inserted. @throws `lost` if none does, or more than one. */
async function findLost(
  app: ApplicationSession,
  { context, values }: Insert,
  { parts, key }: KeyedUpdate['matched'],
  lost: ServiceError,
): Promise<KeyedRecord> {
  const alsoRead = values.map(({ part }) => part);
  const matches = await settle(async () => await findMatches(app, parts, [key], context, alsoRead));
  if ('error' in matches) throw lost;
  const [match, ...others] = matches.value.byKey.get(keyText(key)) ?? [];
  if (match === undefined || others.length > 0) throw lost;
  return match;
}

/** Whether nothing that a record shows differs from what was sent, so that a lost insert may have added it. */
function mayBeInserted({ values, context, contents }: Insert, { record }: KeyedRecord): boolean {
  return values.every(({ part, value }) => {
    const shown = valueOf(record, part, context);
    const files = value.kind === 'files' ? filesOf(shown) : undefined;
    if (value.kind !== 'files' || files === undefined) return holds(part, value, shown, context) !== false;
    return files.length <= value.add.length && countEqualFiles(value.add, files, contents) === files.length;
  });
}
