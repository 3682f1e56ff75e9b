import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import type { Values } from '../../common/setting';
import { upsertOptions } from '../../common/options';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeValues } from '../../parts/values/describe';
import { findMatches, type KeyedRecord, keyLikeness, keyText } from '../../service/read/keyedRecords';
import { type CurrentRecord, readCurrent } from '../../service/read/records';
import type { Done } from '../../service/write/checkpoint';
import { NO_CHECK } from '../../service/write/form';
import { isLostInsert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import { settle } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { type Outcome, writeOperation } from '../run/types';
import {
  choiceRefusal,
  isPlain,
  type KeyedWork,
  nameKey,
  planKeyed,
  readKeyed,
  type Target,
  writeKeyed,
} from './keyed';
import { assertMergeable, conflictPolicy } from './update.operation';

interface UpsertWork extends KeyedWork {
  readonly options: Values<typeof upsertOptions>;
  /** Shared by all items of the key, once they are matched. */
  record: RecordOfKey | null;
}

/** What is known of the record of one key. */
interface RecordOfKey {
  /** The records that have the key; after the first write, the one that was written. */
  ids: readonly string[];
  /** The one that has the key, as the look-up shows it, until it may have been written. */
  shown: KeyedRecord | null;
  /** Another record, whose key only looks like it. */
  alike: KeyedRecord | null;
  /** As earlier items would have left it if this were not a dry run. */
  planned: CurrentRecord | null;
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
  prepare: readMatches,
  serialKeyOf,
  async run(work) {
    return [{ json: await runUpsert(work) }];
  },
});

/** @throws UserError without a matching part, or if the item has no value for one. */
async function readUpsert(item: Item, options: Values<typeof upsertOptions>): Promise<UpsertWork> {
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  const keyed = await readKeyed(item, options);
  const blank = keyed.parts.find((_, index) => keyed.key[index]?.trim() === '');
  if (blank !== undefined) {
    throw new UserError(
      `The item has no value for ${namePart(blank)}, which identifies the record`,
      'Give it a value, or match on another part.',
    );
  }
  // The service looks values up by what is sent, so then all of it is.
  const skipUnchanged = keyed.update.options.relookupKeyParts.length === 0;
  return { ...keyed, update: { ...keyed.update, policy, skipUnchanged }, options, record: null };
}

/** Finds the records of all items: together where they match on the same parts, however they name the application. */
async function readMatches(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const outcomes = new Map<UpsertWork, Outcome>();
  const termsOf = ({ app, context, parts }: UpsertWork): string =>
    JSON.stringify([app.application.id, context.keyMode, parts.map(({ id }) => id)]);
  for (const alike of groupBy(works, termsOf)) {
    const read = await settle(async () => await readMatchesOf(alike));
    alike.forEach((work, at) => outcomes.set(work, 'error' in read ? read : read.value[at]));
  }
  return works.map((work) => outcomes.get(work));
}

/** Repeated keys are looked up only once. */
async function readMatchesOf(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const [{ app, parts, context }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([first]) => first.key);
  const alsoRead = [...new Set(works.flatMap(plainParts))];
  const { found, alike } = await findMatches(app, parts, keys, context, alsoRead);
  for (const sameKey of byKey) {
    const [{ key }] = sameKey;
    const record = recordOf(found.get(keyText(key)), alike.get(keyLikeness(key)));
    for (const work of sameKey) {
      Object.assign(work, { record });
      work.item.recordIds = record.ids;
    }
  }
  return works.map((work) => {
    const { ids, shown } = work.record!;
    // Several matches are refused for another reason.
    return ids.length > 1 ? undefined : choiceRefusal(work, shown?.record ?? null);
  });
}

function recordOf(found: readonly KeyedRecord[] = [], alike: KeyedRecord | null = null): RecordOfKey {
  const shown = found.length === 1 ? found[0]! : null;
  return { ids: found.map(({ id }) => id), shown, alike, planned: null, failure: null };
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

/**
 * Writes one item. Whatever fails after a record is written, the next item with its key continues from there.
 * @throws UserError when several records hold the key.
 */
async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, app, parts, key, context, options, update } = work;
  const checkpoint = item.checkpoint<Done>(app, '', [update.values, update.emptied]);
  const isOpen = checkpoint.done !== null || isLostInsert(checkpoint.indeterminate);
  const record = work.record!;
  if (!isOpen && record.failure !== null) {
    // Another item of this key would create the record a second time.
    if (isLostInsert(record.failure)) throw record.failure;
    const alsoRead = plainParts(work);
    const { found } = await findMatches(app, parts, [key], context, alsoRead);
    Object.assign(record, recordOf(found.get(keyText(key)), record.alike));
  }
  if (!isOpen && record.ids.length > 1) throw ambiguous(work, record.ids);
  const [change, target] = isOpen ? [update, null] : await readTargetOf(work, record);
  if (options.dryRun) return await planUpsert(work, record, change, target);
  const written = await settle(async () => await writeKeyed(work, change, target, checkpoint));
  const { done } = checkpoint;
  if (done !== null) Object.assign(record, { ids: [done.id], failure: null });
  if ('value' in written) {
    if (written.value.outcome === 'created') hintAtNearKey(work, 'was added');
    return await presentWritten(app, context.keyMode, written.value, options.returnRecord);
  }
  // It may have been written all the same.
  record.shown = null;
  if (record.ids.length === 0 && !isLostInsert(record.failure)) record.failure = written.error;
  throw written.error;
}

/** The change with the revision that guards it, if the policy does, and the record that it is for. */
async function readTargetOf(work: UpsertWork, { ids, shown }: RecordOfKey): Promise<[Update, Target | null]> {
  const { item, app, context, update } = work;
  const [id] = ids;
  if (id === undefined) return [update, null];
  const found = shown?.id === id && !item.run.memory.writtenIds.has(id) ? shown : null;
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

/** A dry run writes nothing, but an item would change what earlier ones of its key would have written. */
async function planUpsert(
  work: UpsertWork,
  record: RecordOfKey,
  change: Update,
  target: Target | null,
): Promise<IDataObject> {
  const { planned } = record;
  if (planned !== null && target === null && !isPlain(change)) {
    const values = change.values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun(work.app, change, { outcome: 'updated', values }, null);
  }
  const at = planned !== null && isPlain(change) ? { id: planned.id, known: planned } : target;
  const { json, planned: then } = await planKeyed(work, change, at);
  record.planned = then;
  if (json.outcome === 'created') hintAtNearKey(work, 'would be added');
  return json;
}

/** Names a record whose key only looks like that of the item, for which another one is added. */
function hintAtNearKey({ item, parts, key, record }: UpsertWork, added: string): void {
  const { alike } = record!;
  if (alike === null) return;
  item.run.hints.add(
    `A record ${added} for ${describeValues(key)} in ${parts.map(namePart).join(' and ')}, although record ${alike.id} has ${describeValues(alike.key)}: case, width, spaces and the form of numbers count`,
    'near keys',
  );
}

function ambiguous({ parts, key }: UpsertWork, ids: readonly string[]): UserError {
  return new UserError(
    `${ids.length} records have ${nameKey(parts, key)}: ${ids.join(', ')}`,
    'Match on parts whose values are unique, or remove the duplicates.',
  );
}
