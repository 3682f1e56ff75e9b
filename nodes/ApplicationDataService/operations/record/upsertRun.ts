import type { IDataObject } from 'n8n-workflow';

import { namePart } from '../../parts/model/errors';
import { readCurrent } from '../../service/read/current';
import type { Checkpoint } from '../../service/write/checkpoint';
import { insertForm, NO_CHECK, updateForm } from '../../service/write/form';
import { insertKeyed, isLostInsert } from '../../service/write/insert';
import { UserError } from '../../util/userError';
import { askedOf, readInsert, readUpdate } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import { runUpdate } from './runUpdate';
import type { KeyedRecord, UpsertWork } from './upsertWork';
import type { EncodedPart } from '../../parts/encode';

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
  // Finishes what an earlier try began, whatever records match now.
  const isOpenInsert = checkpoint.done?.outcome === 'created' || isLostInsert(checkpoint.doubt);
  if (isOpenInsert) return await create(work, record, checkpoint);
  if (checkpoint.done !== null) return await update(work, checkpoint.done.id, null, checkpoint);
  // Another item of this key would create the record a second time.
  if (record.doubt !== null) throw record.doubt;
  if (match === undefined) return await create(work, record, checkpoint);
  if (others.length > 0) throw severalMatches(work, record);
  return await update(work, match.id, match.revision, checkpoint);
}

/** Whatever fails after a record is written, the next item with its key continues from there. */
function sharedCheckpoint(record: KeyedRecord, own: Checkpoint): Checkpoint {
  return {
    ...own,
    reached: (done) => {
      own.reached(done);
      const match = record.matches.find(({ id }) => id === done.id) ?? { id: done.id, revision: null };
      // A record that the run itself has written has a newer revision than the matched one.
      match.revision = null;
      record.matches = [match];
      record.doubt = null;
    },
    failed: (error) => {
      own.failed(error);
      if (isLostInsert(error) && record.matches.length === 0) record.doubt = error;
    },
  };
}

async function create(work: UpsertWork, record: KeyedRecord, checkpoint: Checkpoint): Promise<IDataObject> {
  const { item, app, context, policy, change, options, parts, key } = work;
  if (record.planned) return presentPlannedUpdate(work);
  const insert = readInsert(item, app, change.values, context, options);
  if (options.dryRun) {
    record.planned = true;
    const { values } = insert;
    const form = insertForm(app, values, insert);
    return presentDryRun({ outcome: 'created', form, values, current: null, context });
  }
  const inserted = await insertKeyed(app, insert, { parts, key }, checkpoint);
  if ('done' in inserted)
    return await presentWritten(item, app, context.keyMode, inserted.done, options.returnRecord);
  // That record may already contain the rows and files. Adding them again could duplicate them.
  if (policy !== 'overwrite' || !insert.values.every(isText)) throw inserted.doubt;
  record.matches = [{ id: inserted.other, revision: null }];
  record.doubt = null;
  return await update(work, inserted.other, null, { ...checkpoint, done: null, doubt: null });
}

function isText({ value }: EncodedPart): boolean {
  return value.kind === 'text';
}

/** A dry run created nothing, but this item would change what an earlier one of the same key created. */
function presentPlannedUpdate({ item, app, change, context, options }: UpsertWork): IDataObject {
  const target = { id: '', policy: 'overwrite', revision: null } as const;
  const update = readUpdate(item, app, target, change, context, options);
  const values = change.values.filter(({ value }) => value.kind !== 'keep');
  const form = updateForm(app, null, NO_CHECK, values, update);
  return presentDryRun({ outcome: 'updated', form, values, current: null, context });
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

function severalMatches({ parts, key }: UpsertWork, { matches }: KeyedRecord): UserError {
  const what = parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
  return new UserError(
    `${matches.length} records have ${what}: ${matches.map(({ id }) => id).join(', ')}`,
    'Match on parts whose values are unique, or remove the duplicates.',
  );
}
