import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../parts/compare';
import { namePart } from '../../parts/model/errors';
import type { EncodedPart } from '../../parts/record';
import type { ApplicationSession } from '../../service/application/session';
import { isDoubt } from '../../service/http/errors';
import { readCurrent, valueOf } from '../../service/read/current';
import { findMatches, keyText } from '../../service/read/match';
import type { Checkpoint } from '../../service/write/checkpoint';
import { insertForm, NO_CHECK, updateForm } from '../../service/write/form';
import { insertRecord, type Insert } from '../../service/write/insert';
import { settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { askedOf, readInsert, readUpdate } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import { runUpdate } from './runUpdate';
import type { KeyedRecord, UpsertWork } from './upsertWork';

/**
 * Writes one item to the record of its key.
 * @throws UserError when several records hold the key.
 */
export async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, change, context, record } = work;
  if (record === null) throw new Error('The item was not matched');
  const asked = {
    ...askedOf({ values: change.values, context }),
    emptied: change.emptied.map(({ id }) => id),
  };
  const checkpoint = sharedCheckpoint(record, item.checkpoint(asked));
  const [match, ...others] = record.matches;
  // What an earlier try has begun is brought to its end, whatever records match by now.
  const isOpenInsert = checkpoint.done?.outcome === 'created' || isInsert(checkpoint.doubt);
  if (isOpenInsert) return await create(work, record, checkpoint);
  if (checkpoint.done !== null) return await update(work, checkpoint.done.id, null, checkpoint);
  // Another item of this key would create the record a second time.
  if (record.doubt !== null) throw record.doubt;
  if (match === undefined) return await create(work, record, checkpoint);
  if (others.length > 0) throw severalMatches(work, record);
  return await update(work, match.id, match.revision, checkpoint);
}

/** Whatever fails once a record is written, the next item of its key goes on from there. */
function sharedCheckpoint(record: KeyedRecord, own: Checkpoint): Checkpoint {
  return {
    ...own,
    reached: (done) => {
      own.reached(done);
      const match = record.matches.find(({ id }) => id === done.id) ?? { id: done.id, revision: null };
      // What the run has written itself has another revision than the one that was matched.
      match.revision = null;
      record.matches = [match];
      record.doubt = null;
    },
    failed: (error) => {
      own.failed(error);
      if (isDoubt(error) && isInsert(error) && record.matches.length === 0) record.doubt = error;
    },
  };
}

function isInsert(doubt: Error | null): boolean {
  return isDoubt(doubt) && doubt.details.action === 'insert_data';
}

async function create(work: UpsertWork, record: KeyedRecord, checkpoint: Checkpoint): Promise<IDataObject> {
  const { item, app, context, change, options } = work;
  if (record.planned) return presentPlannedUpdate(work);
  const insert = readInsert(item, app, change.values, context, options);
  if (options.dryRun) {
    record.planned = true;
    const { values } = insert;
    const form = insertForm(app, values, insert);
    return presentDryRun({ outcome: 'created', form, values, current: null, context });
  }
  let foreign: string | null = null;
  const lookUpOwn = async (): Promise<string | null> => {
    const id = await lookUp(work);
    if (id === null || (await holdsTexts(app, id, insert))) return id;
    foreign = id;
    return null;
  };
  const inserted = await settle(
    async () => await insertRecord(app, { ...insert, lookUp: lookUpOwn }, checkpoint),
  );
  if ('value' in inserted)
    return await presentWritten(item, app, context.keyMode, inserted.value, options.returnRecord);
  // Rows and files may be in that record already: adding them again could double them.
  if (foreign === null || !insert.values.every(isText)) throw inserted.error;
  return await update(work, foreign, null, { ...checkpoint, done: null, doubt: null });
}

/**
 * Whether a record holds the plain values of an insert, as far as it shows them: else somebody else added it, or changed it since.
 */
async function holdsTexts(
  app: ApplicationSession,
  id: string,
  { values, context }: Pick<Insert, 'values' | 'context'>,
): Promise<boolean> {
  const current = await readCurrent(app, id, context);
  return values
    .filter(isText)
    .every(
      ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) !== false,
    );
}

function isText({ value }: EncodedPart): boolean {
  return value.kind === 'text';
}

/** A dry run created nothing, but this item would change what an earlier one of the same key created. */
function presentPlannedUpdate({ item, app, change, context, options }: UpsertWork): IDataObject {
  const target = { id: '', policy: 'overwrite', revision: null } as const;
  const update = readUpdate(item, app, target, change, context, options);
  const values = change.values.filter(({ value }) => value.kind !== 'keep');
  const { fields, ...form } = updateForm(app, '', NO_CHECK, values, update);
  const known = fields.filter(([name]) => name !== 'data_id');
  return presentDryRun({
    outcome: 'updated',
    form: { ...form, fields: known },
    values,
    current: null,
    context,
  });
}

async function update(
  { item, app, context, policy, change, options }: UpsertWork,
  id: string,
  matched: number | null,
  checkpoint: Checkpoint,
): Promise<IDataObject> {
  const isGuarded = policy !== 'overwrite' && checkpoint.done === null;
  const revision = isGuarded ? (matched ?? (await readCurrent(app, id, context)).revision) : null;
  const target = { id, policy: isGuarded ? policy : 'overwrite', revision } as const;
  const asked = readUpdate(item, app, target, change, context, options);
  return await runUpdate(item, app, asked, options, checkpoint);
}

/** The record that an insert without an answer has created after all; `null` where there is none, or more than one. */
async function lookUp({ app, parts, key, context }: UpsertWork): Promise<string | null> {
  const matches = (await findMatches(app, parts, [key], context)).get(keyText(key)) ?? [];
  return matches.length === 1 ? (matches[0]?.id ?? null) : null;
}

function severalMatches({ parts, key }: UpsertWork, { matches }: KeyedRecord): UserError {
  const what = parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
  return new UserError(
    `${matches.length} records have ${what}: ${matches.map(({ id }) => id).join(', ')}`,
    'Nothing was written for this item. Match on parts whose values are unique, or remove the duplicates.',
  );
}
