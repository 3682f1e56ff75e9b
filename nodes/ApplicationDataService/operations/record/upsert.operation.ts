import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import type { Values } from '../../common/setting';
import { upsertOptions } from '../../common/options';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { type KeyedRecord as FoundRecord, keyText, NearKeys } from '../../service/read/keyedRecords';
import { findMatches } from '../../service/read/match';
import { readCurrent } from '../../service/read/records';
import type { Checkpoint, Done } from '../../service/write/checkpoint';
import { NO_CHECK } from '../../service/write/form';
import { isLostInsert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { type Outcome, writeOperation } from '../run/types';
import { nameKey, readKeyedChange } from './keyedChange';
import { choiceRefusal, isPlain, type KeyedWork, planKeyed, type Target, writeKeyed } from './keyedWrite';
import { assertMergeable, conflictPolicy } from './update.operation';

interface UpsertWork extends KeyedWork {
  readonly options: Values<typeof upsertOptions>;
  /** Shared by all items of the key, once they are matched. */
  record: KeyedRecord | null;
}

/** What is known of the record of one key. */
interface KeyedRecord {
  /** The records that have the key; after the first write, the one that was written. */
  ids: readonly string[];
  /** The one that has the key, as the look-up shows it. */
  shown: FoundRecord | null;
  /** An earlier item would have created it if this were not a dry run. */
  planned: boolean;
  /** How an earlier item failed to create it. */
  failure: unknown;
}

/** Record > Create or Update: exactly one match is updated, none is created, several are an error. */
export const upsertRecord = writeOperation({
  resource: 'record',
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update a record',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, conflictPolicy.property],
  options: upsertOptions,
  read: readUpsert,
  prepare: {
    // Items with the same key are matched together, no matter how they name the application.
    keyOf: ({ app, context, parts }) =>
      JSON.stringify([app.application.id, context.keyMode, parts.map(({ id }) => id)]),
    find: matchRecords,
  },
  serialKeyOf,
  async run(work) {
    return [{ json: await runUpsert(work) }];
  },
});

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserError without a matching part, or if the item has no value for one.
 */
async function readUpsert(item: Item, options: Values<typeof upsertOptions>): Promise<UpsertWork> {
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  const keyed = await readKeyedChange(item, options);
  const blank = keyed.parts.find((_, index) => keyed.key[index]?.trim() === '');
  if (blank !== undefined) {
    throw new UserError(
      `The item has no value for ${namePart(blank)}, which identifies the record`,
      'Give it a value, or match on another part.',
    );
  }
  // The service looks values up by what is sent, so then all of it is.
  const skipUnchanged = keyed.update.options.relookupKeyParts.length === 0;
  return { ...keyed, update: { ...keyed.update, policy, skipUnchanged }, options, near: null, record: null };
}

/** Finds the records of all items. Repeated keys are looked up only once. */
async function matchRecords(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const [{ app, parts, context }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([first]) => first.key);
  const near = new NearKeys(keys);
  const alsoRead = [...new Set(works.flatMap(plainParts))];
  const found = await findMatches(app, parts, keys, context, { alsoRead, near });
  for (const sameKey of byKey) {
    const record = keyedRecord(found.get(keyText(sameKey[0].key)));
    for (const work of sameKey) {
      Object.assign(work, { record, near });
      work.item.recordIds = record.ids;
    }
  }
  return works.map((work) => {
    const { ids, shown } = work.record!;
    // Several matches are refused for another reason.
    return ids.length > 1 ? undefined : choiceRefusal(work, shown?.record ?? null);
  });
}

function keyedRecord(found: readonly FoundRecord[] = []): KeyedRecord {
  const shown = found.length === 1 ? found[0]! : null;
  return { ids: found.map(({ id }) => id), shown, planned: false, failure: null };
}

/** The parts that an item writes plain values to: what these hold is known from what the look-up shows. */
function plainParts({ update: { values } }: UpsertWork): readonly Part[] {
  return values.flatMap(({ part, value }) => (value.kind === 'text' ? part : []));
}

/** Items of one record are processed in turn, even if it is not created yet: then they share its key. */
function serialKeyOf({ app, parts, key, record }: UpsertWork): string {
  const { ids } = record!;
  if (ids.length === 1) return app.serialKey(ids[0]!);
  return JSON.stringify([app.application.id, parts.map(({ id }) => id), key]);
}

/** Records that a run has written, or may have. Two keys may have the same record, also by different parts. */
const touched = new WeakMap<ApplicationSession, Set<string>>();

function touchedIn(app: ApplicationSession): Set<string> {
  const ids = touched.get(app) ?? new Set();
  touched.set(app, ids);
  return ids;
}

/**
 * Writes one item to the record of its key.
 * @throws UserError when several records hold the key.
 */
async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, app, parts, key, context, options, update } = work;
  const own = item.checkpoint<Done>(app, '', [update.values, update.emptied]);
  const isOpen = own.done !== null || isLostInsert(own.indeterminate);
  const record = work.record!;
  if (!isOpen && record.failure !== null) {
    // Another item of this key would create the record a second time.
    if (isLostInsert(record.failure)) throw record.failure;
    const alsoRead = plainParts(work);
    const found = await findMatches(app, parts, [key], context, { alsoRead });
    Object.assign(record, keyedRecord(found.get(keyText(key))));
  }
  if (!isOpen && record.ids.length > 1) throw ambiguous(work, record.ids);
  const [change, target] = isOpen ? [update, null] : await aimed(work, record);
  if (options.dryRun) return await planUpsert(work, record, change, target);
  const done = await writeKeyed(work, change, target, sharedCheckpoint(app, record, own));
  return await presentWritten(app, context.keyMode, done, options.returnRecord);
}

/** The change with the revision that guards it, if the policy does, and the record that it is for. */
async function aimed(work: UpsertWork, { ids, shown }: KeyedRecord): Promise<[Update, Target | null]> {
  const { app, context, update } = work;
  const [id] = ids;
  if (id === undefined) return [update, null];
  const found = shown?.id === id && !touchedIn(app).has(id) ? shown : null;
  const isGuarded = update.policy !== 'overwrite';
  const read = isGuarded && (found?.revision ?? null) === null ? await readCurrent(app, id, context) : null;
  // The look-up asks for what plain values are compared with, and no more.
  const known = found !== null && isPlain(update) ? { ...found, revision: found.revision ?? NO_CHECK } : null;
  const revision = isGuarded ? (read ?? found)!.revision : null;
  return [
    { ...update, revision },
    { id, known: read ?? known },
  ];
}

async function planUpsert(
  work: UpsertWork,
  record: KeyedRecord,
  change: Update,
  target: Target | null,
): Promise<IDataObject> {
  if (record.planned) {
    // A dry run created nothing, but this item would change what an earlier one of the same key created.
    const values = change.values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun(work.app, change, { outcome: 'updated', values }, null);
  }
  record.planned = target === null;
  return await planKeyed(work, change, target);
}

/** Whatever fails after a record is written, the next item with its key continues from there. */
function sharedCheckpoint(app: ApplicationSession, record: KeyedRecord, own: Checkpoint): Checkpoint {
  return {
    ...own,
    recordProgress: (done) => {
      own.recordProgress(done);
      if (done.outcome !== 'unchanged') touchedIn(app).add(done.id);
      record.ids = [done.id];
      record.failure = null;
    },
    failed: (error) => {
      own.failed(error);
      const [id] = record.ids;
      if (id !== undefined) touchedIn(app).add(id);
      else if (!isLostInsert(record.failure)) record.failure = error;
    },
  };
}

function ambiguous({ parts, key }: UpsertWork, ids: readonly string[]): UserError {
  return new UserError(
    `${ids.length} records have ${nameKey(parts, key)}: ${ids.join(', ')}`,
    'Match on parts whose values are unique, or remove the duplicates.',
  );
}
