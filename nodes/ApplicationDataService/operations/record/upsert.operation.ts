import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import type { Values } from '../../common/setting';
import { upsertOptions } from '../../common/options';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { isRefusal } from '../../service/http/errors';
import { type KeyedRecord as FoundRecord, keyText, NearKeys } from '../../service/read/keyedRecords';
import { findMatches } from '../../service/read/match';
import { readCurrent } from '../../service/read/records';
import type { Checkpoint } from '../../service/write/checkpoint';
import { insertRecord, isLostInsert } from '../../service/write/insert';
import type { ConflictPolicy } from '../../service/write/conflict';
import type { Update } from '../../service/write/update';
import { settle } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { assertChoicesOffered } from '../input/mapping';
import { readInsert, findDestination } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { hintAtNearKey } from '../output/warnings';
import { presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { type Outcome, writeOperation } from '../run/types';
import { type KeyedChange, nameKey, readKeyedChange } from './keyedChange';
import { assertMergeable, conflictPolicy, runUpdate } from './update.operation';

interface UpsertWork extends KeyedChange {
  readonly options: Values<typeof upsertOptions>;
  readonly policy: ConflictPolicy;
  /** What is known of the record with this key; shared by all items of the key, once they are matched. */
  record: KeyedRecord | null;
}

/** A record that holds a key. Its revision is forgotten once the run has written it. */
interface KnownMatch {
  readonly id: string;
  revision: number | null;
}

/** What is known of the record of one key. */
interface KeyedRecord {
  /** Records that have the key; after the first write, the one that was written. */
  matches: readonly KnownMatch[];
  /** An earlier item would have created it if this were not a dry run. */
  planned: boolean;
  /**
   * How an earlier item failed to create it. If that may be done all the same, no other item creates it; if the service
   * refused, the next one looks again.
   */
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

/** Finds the records of all items. Repeated keys are looked up only once. */
async function matchRecords(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const [{ app, parts, context }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([first]) => first.key);
  const near = new NearKeys(keys);
  const alsoRead = [...new Set(works.flatMap(plainParts))];
  const found = await findMatches(app, parts, keys, context, { alsoRead, near });
  for (const sameKey of byKey) {
    const matches = (found.get(keyText(sameKey[0].key)) ?? []).map((match) => shared(app, match));
    const record: KeyedRecord = { matches, planned: false, failure: null };
    for (const work of sameKey) {
      work.record = record;
      work.item.recordIds = matches.map(({ id }) => id);
    }
    if (matches.length === 0) hintAtNearKey(sameKey[0], near);
  }
  const refusals: Outcome[] = [];
  for (const work of works) {
    const [match, ...others] = work.record!.matches;
    // Several matches are refused for another reason.
    const values = others.length === 0 ? work.update.values : [];
    const checked = await settle(
      async () => await assertChoicesOffered(work.app, match?.id ?? null, values, work.context),
    );
    refusals.push('error' in checked ? checked : undefined);
  }
  return refusals;
}

/** The parts that an item writes plain values to: whether these differ is known from what the look-up shows. */
function plainParts({ update: { values, emptied } }: UpsertWork): readonly Part[] {
  return [...values.flatMap(({ part, value }) => (value.kind === 'text' ? part : [])), ...emptied];
}

/** What a run knows of the records that it has matched, by ID. */
const matched = new WeakMap<ApplicationSession, Map<string, KnownMatch>>();

/** Two keys may match the same record, also by different parts. Then they share what is known of it. */
function shared(app: ApplicationSession, { id, revision }: Pick<FoundRecord, 'id' | 'revision'>): KnownMatch {
  const known = matched.get(app) ?? new Map<string, KnownMatch>();
  const match = known.get(id) ?? { id, revision };
  matched.set(app, known.set(id, match));
  return match;
}

/** Items of one record are processed in turn, even if it is not created yet: then they share its key. */
function serialKeyOf({ app, parts, key, record }: UpsertWork): string {
  const [match, ...others] = record!.matches;
  if (match !== undefined && others.length === 0) return app.serialKey(match.id);
  return JSON.stringify([app.application.id, parts.map(({ id }) => id), key]);
}

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserError without a matching part, or if the item has no value for one.
 */
async function readUpsert(item: Item, options: Values<typeof upsertOptions>): Promise<UpsertWork> {
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  const keyed = readKeyedChange(item, await findDestination(item, options.partKey), options);
  const blank = keyed.parts.find((_, index) => keyed.key[index]?.trim() === '');
  if (blank === undefined) return { ...keyed, options, policy, record: null };
  throw new UserError(
    `The item has no value for ${namePart(blank)}, which identifies the record`,
    'Give it a value, or match on another part.',
  );
}

/**
 * Writes one item to the record of its key.
 * @throws UserError when several records hold the key.
 */
async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, app, parts, key, context, update: wanted } = work;
  const record = work.record!;
  const checkpoint = sharedCheckpoint(record, item.checkpoint(app, '', [wanted.values, wanted.emptied]));
  if (isRefusal(record.failure)) {
    const found = (await findMatches(app, parts, [key], context)).get(keyText(key)) ?? [];
    record.matches = found.map((each) => shared(app, each));
    record.failure = null;
  }
  const [match, ...others] = record.matches;
  // Finishes what an earlier try began, whatever records match now.
  const isOpenInsert = checkpoint.done?.outcome === 'created' || isLostInsert(checkpoint.indeterminate);
  if (isOpenInsert) return await create(work, record, checkpoint);
  if (checkpoint.done !== null) return await update(work, checkpoint.done.id, null, checkpoint);
  // Another item of this key would create the record a second time.
  if (isLostInsert(record.failure)) throw record.failure;
  if (match === undefined) return await create(work, record, checkpoint);
  if (others.length === 0) return await update(work, match.id, match.revision, checkpoint);
  const { matches } = record;
  throw new UserError(
    `${matches.length} records have ${nameKey(parts, key)}: ${matches.map(({ id }) => id).join(', ')}`,
    'Match on parts whose values are unique, or remove the duplicates.',
  );
}

/** Whatever fails after a record is written, the next item with its key continues from there. */
function sharedCheckpoint(record: KeyedRecord, own: Checkpoint): Checkpoint {
  return {
    ...own,
    recordProgress: (done) => {
      own.recordProgress(done);
      const match = record.matches.find(({ id }) => id === done.id) ?? { id: done.id, revision: null };
      // A record that the run itself has written has a newer revision than the matched one.
      match.revision = null;
      record.matches = [match];
      record.failure = null;
    },
    failed: (error) => {
      own.failed(error);
      if (record.matches.length === 0 && !isLostInsert(record.failure)) record.failure = error;
    },
  };
}

async function create(work: UpsertWork, record: KeyedRecord, checkpoint: Checkpoint): Promise<IDataObject> {
  const { item, app, context, policy, update: wanted, options, parts, key } = work;
  if (record.planned) {
    // A dry run created nothing, but this item would change what an earlier one of the same key created.
    const values = wanted.values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun(app, wanted, { outcome: 'updated', values }, null);
  }
  const insert = readInsert(item, app, wanted.values, context, options);
  if (options.dryRun) {
    record.planned = true;
    return presentDryRun(app, insert, { outcome: 'created', values: insert.values }, null);
  }
  const inserted = await insertRecord(app, insert, { parts, key }, checkpoint);
  if ('done' in inserted)
    return await presentWritten(item, app, context.keyMode, inserted.done, options.returnRecord);
  // That record may already contain the rows and files. Adding them again could duplicate them.
  const isText = insert.values.every(({ value }) => value.kind === 'text');
  if (policy !== 'overwrite' || !isText) throw inserted.indeterminate;
  record.matches = [{ id: inserted.other, revision: null }];
  record.failure = null;
  return await update(work, inserted.other, null, { ...checkpoint, done: null, indeterminate: null });
}

async function update(
  { item, app, context, policy, options, update: asked }: UpsertWork,
  id: string,
  matched: number | null,
  checkpoint: Checkpoint,
): Promise<IDataObject> {
  const isGuarded = policy !== 'overwrite' && checkpoint.done === null;
  const revision = isGuarded ? (matched ?? (await readCurrent(app, id, context)).revision) : null;
  const own: Update = { ...asked, id, policy: isGuarded ? policy : 'overwrite', revision };
  return await runUpdate(item, app, own, options, checkpoint);
}
