import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import type { Values } from '../../common/setting';
import { upsertOptions } from '../../common/options';
import { namePart } from '../../parts/model/errors';
import { describeValues } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import { findMatches, type KeyedRecord, keyLikeness, keyText } from '../../service/read/keyedRecords';
import { readCurrent } from '../../service/read/records';
import type { Done } from '../../service/write/writeRecord';
import { NO_CHECK } from '../../service/write/form';
import { isLostInsert } from '../../service/write/insert';
import { arePlain } from '../../service/write/update';
import { settle } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { presentDryRun, presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { type Outcome, writeOperation } from '../run/types';
import {
  choiceRefusal,
  type KeyedWork,
  nameKey,
  planKeyed,
  readKeyed,
  type Target,
  writeKeyed,
} from './keyed';
import { assertMergeable, conflictPolicy } from './update.operation';

interface UpsertWork extends KeyedWork<Values<typeof upsertOptions>> {
  /** Shared by all items of the key, once they are matched. */
  record: RecordOfKey | null;
}

/** Which record an item of a key would change, and what it holds. */
interface Matched {
  /** The records that have the key; after the first write, the one that was written. */
  ids: readonly string[];
  /** The one that has the key, as the look-up shows it. */
  shown: Pick<KeyedRecord, 'id' | 'revision' | 'record'> | null;
}

type Near = Pick<KeyedRecord, 'id' | 'key'>;

/** What is known of the record of one key. */
interface RecordOfKey extends Matched {
  /** As dry runs of earlier items would have left it. */
  planned: Matched | null;
  /** Another record, whose key only looks like it. */
  alike: Near | null;
  /** The records that items of the same parts have added, by the likeness of their keys. */
  added: Map<string, Near>;
  /** How an earlier item failed to create it. */
  failure: unknown;
}

/** Record > Create or Update: exactly one match is updated, none is created, several are an error. */
export const upsertRecord = writeOperation({
  resource: 'record',
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update record',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, conflictPolicy.property],
  options: upsertOptions,
  read: readUpsert,
  prepare: prepareUpsert,
  /** Items of one record are processed in turn, even if it is not created yet: then they share its key. */
  serialKeyOf({ app, parts, key, record }) {
    const { ids } = record!;
    if (ids.length === 1) return app.serialKey(ids[0]!);
    return JSON.stringify([app.application.id, parts.map(({ id }) => id), key]);
  },
  async run(work) {
    const json = await runUpsert(work);
    if (json.outcome === 'created') hintAtNearKey(work, readText(json.id));
    return [{ json }];
  },
});

/** @throws UserError without a matching part, or if the item has no value for one. */
function readUpsert(item: Item, options: Values<typeof upsertOptions>): UpsertWork | Promise<UpsertWork> {
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  return readKeyed(item, options, false, (keyed): UpsertWork => {
    const { parts, key, update } = keyed;
    const blank = parts.find((_, index) => key[index]?.trim() === '');
    if (blank !== undefined) {
      throw new UserError(
        `The item has no value for ${namePart(blank)}, which identifies the record`,
        'Give it a value, or match on another part.',
      );
    }
    // The service looks values up by what is sent, so then all of it is.
    const skipUnchanged = update.options.relookupKeyParts.length === 0;
    return { ...keyed, update: { ...update, policy, skipUnchanged }, record: null };
  });
}

/** Finds the records of all items: together where they match on the same parts, however they name the application. */
async function prepareUpsert(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const failed = new Map<UpsertWork, Outcome>();
  const termsOf = ({ app, update, parts }: UpsertWork): string =>
    JSON.stringify([app.application.id, update.context.keyMode, parts.map(({ id }) => id)]);
  for (const alike of groupBy(works, termsOf)) {
    const found = await settle(async () => await findRecords(alike));
    if ('error' in found) for (const work of alike) failed.set(work, found);
  }
  return works.map((work) => {
    // Several matches are refused for another reason.
    const isOne = work.record !== null && work.record.ids.length < 2;
    return failed.get(work) ?? (isOne ? choiceRefusal(work, work.record!.shown?.record ?? null) : undefined);
  });
}

/**
 * Finds the records of items, each key once, with the parts that these write plain values to: what the records hold is
 * known then.
 */
async function findRecords(works: NonEmpty<UpsertWork>): Promise<void> {
  const [{ app, parts, update }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([{ key }]) => key);
  const values = works.flatMap((work) => work.update.values);
  const plain = new Set(values.flatMap(({ part, value }) => (value.kind === 'text' ? part : [])));
  const { found, alike } = await findMatches(app, parts, keys, update.context, [...plain]);
  const added = new Map<string, Near>();
  for (const sameKey of byKey) {
    const [{ key, record: before }] = sameKey;
    const records = found.get(keyText(key)) ?? [];
    const record = before ?? { ids: [], shown: null, planned: null, alike: null, added, failure: null };
    record.ids = records.map(({ id }) => id);
    record.shown = records.length === 1 ? records[0]! : null;
    record.planned = null;
    record.alike = alike.get(keyLikeness(key)) ?? record.alike;
    record.failure = null;
    for (const work of sameKey) {
      work.record = record;
      work.item.recordIds = record.ids;
    }
  }
}

/**
 * Writes one item. Whatever fails after a record is written, the next item with its key continues from there.
 * @throws UserError when several records hold the key.
 */
async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, app, options, update } = work;
  const record = work.record!;
  const checkpoint = item.checkpoint<Done>(app, '', update.values);
  const isOpen = checkpoint.done !== null || isLostInsert(checkpoint.indeterminate);
  // Another item of this key would create the record a second time.
  if (!isOpen && isLostInsert(record.failure)) throw record.failure;
  if (!isOpen && record.failure !== null) await findRecords([work]);
  const matched = matchedFor(work, record);
  const target = isOpen ? null : await readTarget(work, matched);
  // What the item was read with, for a conflict: its own values are those that it is to have.
  const known = { ...update.known, ...(target?.known ?? matched.shown)?.record };
  const informed = { ...work, update: { ...update, known } };
  if (options.dryRun) return await planUpsert(informed, record, target);
  const written = await settle(async () => await writeKeyed(informed, target, checkpoint));
  const { done } = checkpoint;
  if (done !== null) {
    record.ids = [done.id];
    record.planned = null;
    record.failure = null;
  }
  if ('value' in written)
    return await presentWritten(app, update.context.keyMode, written.value, options.returnRecord);
  // It may have been written all the same.
  record.shown = null;
  if (record.ids.length === 0) record.failure = written.error;
  throw written.error;
}

/** Where the switch differs from item to item, what a dry run would have written is not there for the others. */
function matchedFor({ options }: UpsertWork, record: RecordOfKey): Matched {
  return (options.dryRun ? record.planned : null) ?? record;
}

/** The record of an item, with the revision that guards it, if the policy does; `null` if it is to be created. */
async function readTarget(
  { item, app, parts, key, update }: UpsertWork,
  { ids, shown }: Matched,
): Promise<Target | null> {
  const [id, ...others] = ids;
  if (id === undefined) return null;
  if (others.length > 0)
    throw new UserError(
      `${ids.length} records have ${nameKey(parts, key)}: ${ids.join(', ')}`,
      'Match on parts whose values are unique, or remove the duplicates.',
    );
  const isGuarded = update.policy !== 'overwrite';
  const isWritten = id !== '' && item.run.memory.writtenIds.has(id);
  if (shown === null || isWritten || (isGuarded && shown.revision === null)) {
    const known = isGuarded ? await readCurrent(app, id, update.context) : null;
    return { id, known, revision: known?.revision ?? null };
  }
  // The look-up asks for what plain values are compared with, and no more.
  const known = arePlain(update.values) ? { ...shown, revision: shown.revision ?? NO_CHECK } : null;
  return { id, known, revision: isGuarded ? shown.revision : null };
}

/** A dry run writes nothing, but an item would change what earlier ones of its key would have written. */
async function planUpsert(
  work: UpsertWork,
  record: RecordOfKey,
  target: Target | null,
): Promise<IDataObject> {
  const { app, update } = work;
  if (target?.id === '' && !arePlain(update.values)) {
    const values = update.values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun(app, update, { outcome: 'updated', values }, null);
  }
  const { json, planned } = await planKeyed(work, target);
  record.planned = { ids: [planned.id], shown: planned };
  return json;
}

/** Names a record, perhaps of another item, whose key only looks like that of the item that adds another one. */
function hintAtNearKey({ item, options, parts, key, record }: UpsertWork, id: string): void {
  const { added } = record!;
  const likeness = keyLikeness(key);
  const alike = record!.alike ?? added.get(likeness);
  if (id !== '') added.set(likeness, { id, key });
  if (alike === undefined) return;
  item.run.hints.add(
    `A record ${options.dryRun ? 'would be' : 'was'} added for ${describeValues(key)} in ${parts.map(namePart).join(' and ')}, although record ${alike.id} has ${describeValues(alike.key)}: case, width, spaces and the form of numbers count`,
    'near keys',
  );
}
