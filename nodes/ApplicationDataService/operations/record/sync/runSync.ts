import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../../parts/compare';
import { partKey } from '../../../parts/model/keys';
import { isObject, readText } from '../../../parts/values/shapes';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { valueOf } from '../../../parts/types/entries';
import { type CurrentRecord, readCurrent } from '../../../service/read/records';
import type { Checkpoint, Done } from '../../../service/write/checkpoint';
import { contentsOf } from '../../../service/write/files';
import { insertRecord, isLostInsert } from '../../../service/write/insert';
import { planUpdate, type Update, type WritePlan } from '../../../service/write/update';
import { writeRecord } from '../../../service/write/writeRecord';
import { attempt } from '../../../util/concurrently';
import { asUserError } from '../../../util/userError';
import { readInsert } from '../../input/recordWrites';
import { presentDryRun } from '../../output/dryRun';
import type { Outcome, OutputItem } from '../../run/types';
import type { SyncWork } from './readSync';

/** Makes the record of one item match the item: creates it, changes it, or leaves it unchanged. */
export async function runSync(work: SyncWork): Promise<OutputItem[]> {
  const { item, app, options, update: sent } = work;
  const begin = (): Checkpoint => item.checkpoint(app, '', [sent.values, sent.emptied]);
  const json = options.dryRun ? await planned(work) : await written(work, begin());
  return result(work, json);
}

/**
 * The result of an item whose listed record shows that it needs no change, as most records of a long list do; else
 * `undefined`.
 */
export function unchanged(work: SyncWork): Outcome {
  const { item, options, record } = work;
  if (record === null || options.dryRun || item.run.memory.isBegun(item.index)) return undefined;
  return holdsTexts(work, record)
    ? { value: result(work, { id: record.id, outcome: 'unchanged' }) }
    : undefined;
}

function result({ sync }: SyncWork, json: IDataObject): OutputItem[] {
  const outcome = readText(json.outcome);
  sync!.outcomes.set(outcome, (sync!.outcomes.get(outcome) ?? 0) + 1);
  return [{ json }];
}

async function planned(work: SyncWork): Promise<IDataObject> {
  const { app, record, context, update, item, options } = work;
  if (record === null) {
    const insert = readInsert(item, app, update.values, context, options);
    return presentDryRun(app, insert, { outcome: 'created', values: insert.values }, null);
  }
  const { id } = record;
  const isShown = (await listedDifference(work, record)) !== null;
  const current = isShown ? asCurrent(record) : await readCurrent(app, id, context);
  const plan = planUpdate(stateUpdate(work, id), current, await contentsOf(update, update.values));
  noteOtherFiles(work, plan.found);
  return { id, ...presentDryRun(app, update, plan, current) };
}

async function written(work: SyncWork, checkpoint: Checkpoint): Promise<IDataObject> {
  const { record } = work;
  const { done, indeterminate } = checkpoint;
  // Finishes what an earlier try began, whatever records exist now.
  if (done?.outcome === 'created' || isLostInsert(indeterminate)) return await create(work, checkpoint);
  if (done !== null) return await update(work, done.id, null, checkpoint);
  if (record === null) return await create(work, { ...checkpoint, indeterminate: null });
  const { id } = record;
  const listed = await listedDifference(work, record);
  if (listed === null || listed.values.length > 0)
    return await update(work, id, listed && asCurrent(record), checkpoint);
  noteOtherFiles(work, listed.found);
  if (indeterminate === null) return { id, outcome: 'unchanged' };
  // It contains what an earlier try sent without getting an answer.
  const sent: Done = { id, outcome: 'updated' };
  checkpoint.recordProgress(sent);
  return sent;
}

/** @param listed whose revision is known, or is not needed. */
function asCurrent(listed: KeyedRecord): CurrentRecord {
  return { ...listed, revision: listed.revision ?? 0 };
}

/** Whether the listed record already matches the item, which contains only texts. */
function holdsTexts({ update: { values, emptied }, context }: SyncWork, { record }: KeyedRecord): boolean {
  if (emptied.length > 0) return false;
  return values.every(
    ({ part, value }) =>
      value.kind === 'text' && holds(part, value, valueOf(record, part, context), context) === true,
  );
}

async function create(work: SyncWork, checkpoint: Checkpoint): Promise<IDataObject> {
  const { item, app, update: asked, context, options, parts, key, record } = work;
  const insert = readInsert(item, app, asked.values, context, options);
  const inserted = await insertRecord(app, insert, { parts, key, listed: record }, checkpoint);
  if ('done' in inserted) return told(work, inserted.done);
  // Somebody else has added it meanwhile: it is to hold what the item says all the same.
  return await update(work, inserted.other, null, { ...checkpoint, done: null, indeterminate: null });
}

/** @param known the record as it was compared; `null` to read it first. */
async function update(
  work: SyncWork,
  id: string,
  known: CurrentRecord | null,
  checkpoint: Checkpoint,
): Promise<IDataObject> {
  // Each round compares again, under a revision, so a write in doubt is never done twice and need not be settled first.
  const again = { ...checkpoint, indeterminate: null };
  const done = await writeRecord(work.app, stateUpdate(work, id), again, known);
  return told(
    work,
    checkpoint.indeterminate !== null && done.outcome === 'unchanged'
      ? { ...done, outcome: 'updated' }
      : done,
  );
}

/** Makes a record hold what the item says: each attempt sends what differs, under the revision that was compared. */
function stateUpdate({ update: asked, parts, key }: SyncWork, id: string): Update {
  return { ...asked, id, stateOf: { parts, key } };
}

/**
 * What a listed record lacks; `null` if only the record itself tells: the list does not show a part, it gives no
 * revision to write under, or rows or files differ, of which it may show less.
 */
async function listedDifference(work: SyncWork, listed: KeyedRecord): Promise<WritePlan | null> {
  if (!showsAll(work, listed)) return null;
  const contents = await contentsOf(work.update, work.update.values);
  const state = stateUpdate(work, listed.id);
  const compared = attempt(() => planUpdate(state, asCurrent(listed), contents));
  if ('error' in compared) {
    asUserError(compared.error);
    return null;
  }
  const { value: found } = compared;
  if (found.values.length === 0) return found;
  const isPlain = found.values.every(({ value }) => value.kind === 'text');
  return isPlain && listed.revision !== null ? found : null;
}

function showsAll({ update: { values, emptied }, context }: SyncWork, { record }: KeyedRecord): boolean {
  const parts = [...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part), ...emptied];
  const errors = isObject(record.partErrors) ? record.partErrors : {};
  return parts.every(
    (part) =>
      valueOf(record, part, context) !== undefined || Object.hasOwn(errors, partKey(part, context.keyMode)),
  );
}

function told(work: SyncWork, done: Done): IDataObject {
  const { id, outcome, found } = done;
  noteOtherFiles(work, found);
  return { id, outcome };
}

function noteOtherFiles({ sync }: SyncWork, found: { readonly otherFiles?: unknown } = {}): void {
  sync!.otherFiles += Number(found.otherFiles ?? 0);
}
