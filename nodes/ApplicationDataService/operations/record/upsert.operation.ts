import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import type { Values } from '../../common/setting';
import { upsertOptions } from '../../common/options';
import { namePart } from '../../parts/model/errors';
import { findMatches, keyText } from '../../service/read/keyedRecords';
import { readCurrent, type ShownRecord } from '../../service/read/records';
import type { Progress } from '../../service/write/checkpoint';
import { isLostInsert } from '../../service/write/insert';
import { arePlain } from '../../service/write/update';
import { attempt, settle } from '../../util/concurrently';
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

/** The records that have a key. */
type Match =
  | { readonly kind: 'none' }
  /** `shown` as the look-up or a dry run shows it; absent once it was written: it is read again. */
  | { readonly kind: 'one'; readonly id: string; readonly shown?: ShownRecord }
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /** It is not known: the look-up failed, or an insert is in doubt. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** What is known of the keys of items that match on the same parts, each by its text. */
interface KeyTable {
  /** Looked up before anything is written; without an entry once a write has failed: looked up again. */
  readonly matches: Map<string, Match>;
  /** As dry runs would have left it. */
  readonly planned: Map<string, Match>;
}

interface UpsertWork extends KeyedWork<Values<typeof upsertOptions>> {
  /** `null` until the keys are looked up. */
  table: KeyTable | null;
}

/**
 * Finds the record of each item's key, by a `list_data` for each or one scan, and proves by `count_data` and `get_app`
 * that a key is new. One match: `update_data`, as in Update, if something differs; none: `insert_data`; several: an
 * error that names them. A lost `insert_data` is settled by looking the key up. One item per item: ID and outcome,
 * after Return Record the record as well. Items of one key run one after the other: the second updates.
 */
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
  serialKeyOf(work) {
    const { app, parts, key } = work;
    const match = matchOf(work);
    if (match?.kind === 'one') return app.serialKey(match.id);
    return JSON.stringify([app.application.id, parts.map(({ id }) => id), key]);
  },
  run: async (work) => [{ json: await runUpsert(work) }],
});

/** @throws UserError without a matching part, or if the item has no value for one. */
function readUpsert(item: Item, options: Values<typeof upsertOptions>): UpsertWork | Promise<UpsertWork> {
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  return readKeyed(item, options, {}, (keyed): UpsertWork => {
    const { parts, key, update } = keyed;
    const blank = parts.find((_, index) => key[index]?.trim() === '');
    if (blank !== undefined) {
      throw new UserError(
        `The item has no value for ${namePart(blank)}, which identifies the record`,
        'Give it a value, or match on another part.',
      );
    }
    // The service looks values up by what is sent, so then all of it is.
    const isWhole = update.options.relookupKeyParts.length > 0;
    const sends = isWhole ? 'all' : policy === 'overwrite' ? 'allOnChange' : 'changes';
    return { ...keyed, update: { ...update, policy, sends }, table: null };
  });
}

/** Looks up the keys of all items: together where they match on the same parts, however they name the application. */
async function prepareUpsert(works: NonEmpty<UpsertWork>): Promise<readonly Outcome[]> {
  const failed = new Map<UpsertWork, Outcome>();
  const termsOf = ({ app, update, parts }: UpsertWork): string =>
    JSON.stringify([app.application.id, update.context.keyMode, parts.map(({ id }) => id)]);
  for (const alike of groupBy(works, termsOf)) {
    const table: KeyTable = { matches: new Map(), planned: new Map() };
    const looked = await settle(async () => await lookUpKeys(alike, table));
    for (const work of alike)
      if ('error' in looked) failed.set(work, looked);
      else work.table = table;
  }
  return works.map((work) => {
    const match = matchOf(work);
    if (match?.kind === 'one') work.item.recordIds = [match.id];
    if (match?.kind === 'several') work.item.recordIds = match.ids;
    // Several matches are refused for another reason.
    const refusal =
      match?.kind === 'several' ? undefined : choiceRefusal(work, shownOf(match)?.record ?? null);
    return failed.get(work) ?? refusal;
  });
}

/** What is known of an item's key. Where Dry Run differs from item to item, the others see nothing of what it plans. */
function matchOf({ table, key, options }: UpsertWork): Match | undefined {
  const text = keyText(key);
  return (options.dryRun ? table?.planned.get(text) : undefined) ?? table?.matches.get(text);
}

/**
 * Looks up the keys of items, each once, with the parts that these write plain values to: so it is known what their
 * records hold.
 */
async function lookUpKeys(works: NonEmpty<UpsertWork>, { matches }: KeyTable): Promise<void> {
  const [{ app, parts, update }] = works;
  const keys = groupBy(works, ({ key }) => keyText(key)).map(([{ key }]) => key);
  const values = works.flatMap((work) => work.update.values);
  const plain = new Set(values.flatMap(({ part, value }) => (value.kind === 'text' ? part : [])));
  const { byKey, failed } = await findMatches(app, parts, keys, update.context, [...plain]);
  for (const key of keys) {
    const [first, ...others] = byKey.get(keyText(key)) ?? [];
    const match: Match =
      first === undefined
        ? { kind: 'none' }
        : others.length === 0
          ? { kind: 'one', id: first.id, shown: first }
          : { kind: 'several', ids: [first, ...others].map(({ id }) => id) };
    const error = failed.get(keyText(key));
    matches.set(keyText(key), error === undefined ? match : { kind: 'failed', error });
  }
}

/**
 * Writes one item. Whatever fails after a record is written, the next item with its key continues from there.
 * @throws UserError when several records hold the key.
 */
async function runUpsert(work: UpsertWork): Promise<IDataObject> {
  const { item, app, options, update } = work;
  const begun = attempt(() => item.checkpoint(app, '', update.values));
  if ('error' in begun) {
    keepForNext(work, { kind: 'none' }, null, begun.error);
    throw begun.error;
  }
  const checkpoint = begun.value;
  const isOpen = checkpoint.progress !== null || isLostInsert(checkpoint.doubt);
  if (!isOpen && matchOf(work) === undefined) await lookUpKeys([work], work.table!);
  const match = matchOf(work) ?? { kind: 'none' };
  const target = isOpen ? null : await targetOf(work, match);
  // What the item was read with, for a conflict: its own values are those that it is to have.
  const before = { ...update.before, ...(target?.shown ?? shownOf(match))?.record };
  const informed = { ...work, update: { ...update, before } };
  if (options.dryRun) return await planUpsert(informed, target);
  const written = await settle(async () => await writeKeyed(informed, target, checkpoint));
  keepForNext(work, match, checkpoint.progress, 'error' in written ? written.error : null);
  if ('error' in written) throw written.error;
  return await presentWritten(app, update.context.keyMode, written.value, options.returnRecord);
}

/** What an item leaves for the next one of its key: the record that it wrote, or may have written. */
function keepForNext(
  { table, key }: UpsertWork,
  match: Match,
  progress: Progress | null,
  error: unknown,
): void {
  const { matches, planned } = table!;
  const text = keyText(key);
  planned.delete(text);
  if (progress !== null) matches.set(text, { kind: 'one', id: progress.id });
  else if (isLostInsert(error)) matches.set(text, { kind: 'failed', error });
  else if (error !== null && match.kind === 'one') matches.set(text, { kind: 'one', id: match.id });
  else if (error !== null) matches.delete(text);
}

function shownOf(match: Match | undefined): ShownRecord | undefined {
  return match?.kind === 'one' ? match.shown : undefined;
}

/** The record of an item, with the revision that guards it, if the policy does; `null` if it is to be created. */
async function targetOf({ item, app, parts, key, update }: UpsertWork, match: Match): Promise<Target | null> {
  if (match.kind === 'several')
    throw new UserError(
      `${match.ids.length} records have ${nameKey(parts, key)}: ${match.ids.join(', ')}`,
      'Match on parts whose values are unique, or remove the duplicates.',
    );
  // This item would create the record a second time.
  if (match.kind === 'failed') throw match.error;
  if (match.kind === 'none') return null;
  const { id, shown } = match;
  const isGuarded = update.policy !== 'overwrite';
  const isWritten = id !== '' && item.run.memory.writtenIds.has(id);
  const isRead = shown === undefined || isWritten || (isGuarded && shown.revision === null && id !== '');
  if (isRead) {
    const current = isGuarded ? await readCurrent(app, id, update.context) : null;
    return { id, shown: current, revision: current?.revision ?? null };
  }
  // The look-up asks for what plain values are compared with, and no more.
  return { id, shown: arePlain(update.values) ? shown : null, revision: isGuarded ? shown.revision : null };
}

/** A dry run writes nothing, but an item would change what earlier ones of its key would have written. */
async function planUpsert(work: UpsertWork, target: Target | null): Promise<IDataObject> {
  const { app, update, key, table } = work;
  if (target?.id === '' && !arePlain(update.values)) {
    const values = update.values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun(app, update, { outcome: 'updated', values }, null);
  }
  const { json, planned } = await planKeyed(work, target);
  table!.planned.set(keyText(key), { kind: 'one', id: planned.id, shown: planned });
  return json;
}
