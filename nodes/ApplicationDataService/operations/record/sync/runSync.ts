import type { IDataObject } from 'n8n-workflow';

import { holds, storedKey } from '../../../parts/compare';
import { readText } from '../../../parts/values/wire';
import { readCurrent, valueOf, type CurrentRecord } from '../../../service/read/current';
import type { Checkpoint, Done } from '../../../service/write/checkpoint';
import { contentsOf } from '../../../service/write/contents';
import { difference, type Difference, type Wish } from '../../../service/write/difference';
import { insertForm, updateForm } from '../../../service/write/form';
import { insertKeyed, isLostInsert } from '../../../service/write/insert';
import { writeRecord } from '../../../service/write/update';
import { listedDifference, wishWrite, type ListedRecord } from '../../../service/write/wishWrite';
import { UserError } from '../../../util/userError';
import { readInsert } from '../../input/recordWrites';
import { presentDryRun } from '../../output/dryRun';
import { noteAltered } from '../../output/written';
import type { SyncWork } from './syncWork';
import { keyText } from '../../../service/read/keyedRecords';

/** Makes the record of one item match the item: creates it, changes it, or leaves it unchanged. */
export async function runSync(work: SyncWork): Promise<IDataObject> {
  const { item, record, options } = work;
  const json = options.dryRun
    ? await planned(work)
    : await written(work, item.checkpoint<Done>(null), record);
  const outcomes = work.sync?.outcomes;
  const outcome = readText(json.outcome);
  outcomes?.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  return json;
}

async function planned(work: SyncWork): Promise<IDataObject> {
  const { app, record, context, change, item, options } = work;
  if (record === null) {
    const insert = readInsert(item, app, change.values, context, options);
    const form = insertForm(app, insert.values, insert);
    return presentDryRun({ outcome: 'created', form, values: insert.values, current: null, context });
  }
  const wish = await wishOf(work, record.id);
  const listed = listedDifference(wish, record);
  const current =
    listed === null
      ? await readCurrent(app, record.id, context)
      : { ...record, revision: record.revision ?? 0 };
  const { values } = noteOtherFiles(work, listed ?? difference(wish, current));
  const form = updateForm(app, record.id, current.revision, values, wish);
  const outcome = values.length > 0 ? 'updated' : 'unchanged';
  return presentDryRun({ id: record.id, outcome, form, values, current, context });
}

async function written(
  work: SyncWork,
  checkpoint: Checkpoint,
  record: ListedRecord | null,
): Promise<IDataObject> {
  const { done, doubt } = checkpoint;
  // Finishes what an earlier try began, whatever records exist now.
  if (done?.outcome === 'created' || isLostInsert(doubt)) return await create(work, checkpoint);
  if (done !== null) return await update(work, done.id, null, checkpoint);
  if (record === null) return await create(work, { ...checkpoint, doubt: null });
  const listed = holdsPlainValues(work, record)
    ? NOTHING
    : listedDifference(await wishOf(work, record.id), record);
  // It contains what an earlier try sent without getting an answer.
  const outcome = doubt === null ? 'unchanged' : 'updated';
  if (listed?.values.length === 0) {
    noteOtherFiles(work, listed);
    if (doubt !== null) checkpoint.reached({ id: record.id, outcome });
    return { id: record.id, outcome };
  }
  const known = listed === null || record.revision === null ? null : { ...record, revision: record.revision };
  return await update(work, record.id, known, checkpoint);
}

const NOTHING: Difference = { values: [], otherFiles: 0 };

/**
 * Whether the listed record already matches the item, which contains only texts. In a long list most records do, and
 * then nothing else needs to be read.
 */
function holdsPlainValues(
  { update: { values, emptied }, context }: SyncWork,
  { record }: ListedRecord,
): boolean {
  if (emptied.length > 0) return false;
  return values.every(
    ({ part, value }) =>
      value.kind === 'text' && holds(part, value, valueOf(record, part, context), context) === true,
  );
}

async function create(work: SyncWork, checkpoint: Checkpoint): Promise<IDataObject> {
  const { item, app, change, context, options, parts, key, record } = work;
  const insert = readInsert(item, app, change.values, context, options);
  const inserted = await insertKeyed(app, insert, { parts, key, listed: record }, checkpoint);
  if ('done' in inserted) return told(work, inserted.done);
  // Somebody else has added it meanwhile: it is to hold what the item says all the same.
  return await update(work, inserted.other, null, { ...checkpoint, done: null, doubt: null });
}

/** @param known the record as it was compared; `null` to read it first. */
async function update(
  work: SyncWork,
  id: string,
  known: CurrentRecord | null,
  checkpoint: Checkpoint,
): Promise<IDataObject> {
  const write = wishWrite(await wishOf(work, id), known, (current) => assertSameKey(work, current));
  // Each round compares again, under a revision, so a write in doubt is never done twice and need not be settled first.
  const done = await writeRecord(work.app, write, { ...checkpoint, doubt: null });
  return told(
    work,
    checkpoint.doubt !== null && done.outcome === 'unchanged' ? { ...done, outcome: 'updated' } : done,
  );
}

async function wishOf({ update: asked }: SyncWork, id: string): Promise<Wish> {
  const { context, options, values, emptied, uploadSource, rowMode } = asked;
  const contents = await contentsOf({ context, uploadSource }, values);
  return { id, context, options, values, emptied, uploadSource, rowMode, contents };
}

/** @throws UserError if the record, as it is now, is another item's or nobody's. */
function assertSameKey({ parts, key, context }: SyncWork, { id, record }: CurrentRecord): void {
  if (keyText(storedKey(parts, record, context)) === keyText(key)) return;
  throw new UserError(
    `The record ${id} no longer has the key of the item: someone changed it in the meantime`,
    'Nothing was written for this item. Run the workflow again.',
  );
}

function told(work: SyncWork, done: Done): IDataObject {
  const { id, outcome, found: seen } = done;
  noteAltered(work.item, done);
  if (typeof seen?.otherFiles === 'number') noteOtherFiles(work, { values: [], otherFiles: seen.otherFiles });
  return { id, outcome };
}

function noteOtherFiles({ sync }: SyncWork, compared: Difference): Difference {
  if (sync !== null) sync.otherFiles += compared.otherFiles;
  return compared;
}
