import type { ResourceMapperValue } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import type { WriteContext } from '../../parts/model/codec';
import { canonicalText } from '../../parts/compare';
import { findPart } from '../../parts/model/lookup';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/record';
import { readCurrent } from '../../service/read/current';
import { isDoubt } from '../../service/http/errors';
import { findMatches, keyText, type Match, type MatchKey } from '../../service/read/match';
import type { ConflictPolicy } from '../../service/write/conflict';
import type { ApplicationSession } from '../../service/application/session';
import { optionFields } from '../../service/read/records';
import { buildWriteRequest } from '../../service/write/writeRequest';
import { settle } from '../../util/concurrently';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../run/types';
import { planCreate } from './creating';
import { presentDryRun } from '../output/dryRun';
import { writeContext } from '../input/keyMode';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { assertMergeable, readPolicy } from '../input/updatePolicy';
import { planUpdate, withEmptiedParts, type ItemChange } from './updating';
import { writeOptions } from '../input/writeOptions';

/** An item of Create or Update, ready to be matched. */
export interface UpsertItem {
  readonly item: ItemRun;
  readonly app: ApplicationSession;
  readonly context: WriteContext;
  readonly policy: ConflictPolicy;
  readonly change: ItemChange;
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** Items with the same group are matched together: one application, the same matching parts. */
  readonly group: string;
}

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserError without a matching part, or where the item has no value for one.
 */
export async function readUpsertItem(item: ItemRun): Promise<UpsertItem> {
  const app = await item.application();
  const policy = readPolicy(item);
  assertMergeable(item, policy);
  const context = await writeContext(item, app);
  const mapped = mappedValues(item, app.application.parts, context);
  assertValuesGiven(mapped);
  const parts = matchingParts(item, app);
  const key = parts.map((part) => keyValue(part, mapped));
  const change = withEmptiedParts(item, app, mapped, context);
  writeOptions(item, app, change.values);
  const group = JSON.stringify([app.reference, context, parts.map(({ id }) => id)]);
  return { item, app, context, policy, change, parts, key, group };
}

function matchingParts(item: ItemRun, app: ApplicationSession): readonly Part[] {
  const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
  const columns = mapping?.matchingColumns ?? [];
  if (columns.length > 0) return [...new Set(columns.map((text) => findPart(app.application.parts, text)))];
  throw new UserError(
    'No part is chosen by which to find the record',
    'Choose one or more parts to match on, for example a customer number that no two records share.',
  );
}

function keyValue(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value?.kind === 'text' && value.text !== '') return canonicalText(part, value.text);
  const isEmpty = value === undefined || value.kind === 'text' || value.kind === 'keep';
  throw new UserError(
    isEmpty
      ? `The item has no value for ${namePart(part)}, by which the record is to be found`
      : `Records cannot be found by ${namePart(part)}: it holds ${value.kind === 'files' ? 'files' : 'rows'}`,
    isEmpty
      ? 'Nothing was written for this item. Give it a value, or match on another part.'
      : 'Match on a part that holds a plain value.',
  );
}

/** What is known of the record of one key, and the items that are about it, in order. */
export interface UpsertRecord {
  readonly items: readonly UpsertItem[];
  /** Records that hold the key; after the first write, the one that was written. */
  matches: readonly Match[];
  /** A dry run would have created it by now. */
  planned: boolean;
  /** Why nothing can be written for this key: the search failed, or an earlier item may have created the record. */
  failure: Error | null;
}

/** Finds the records of all items; nothing is asked twice where keys repeat. */
export async function matchRecords(items: readonly UpsertItem[]): Promise<UpsertRecord[]> {
  const records: UpsertRecord[] = [];
  for (const group of groupBy(items, (item) => item.group)) {
    const byKey = groupBy(group, (item) => keyText(item.key));
    const [{ app, parts, context }] = group;
    const found = await settle(
      async () =>
        await findMatches(
          app,
          parts,
          byKey.map(([first]) => first.key),
          context,
        ),
    );
    for (const sameKey of byKey) {
      const matches = 'value' in found ? (found.value.get(keyText(sameKey[0].key)) ?? []) : [];
      const failure = 'error' in found ? asError(found.error) : null;
      records.push({ items: sameKey, matches, planned: false, failure });
    }
  }
  return records;
}

type Group<T> = [T, ...T[]];

function groupBy<T>(items: readonly T[], textOf: (item: T) => string): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const item of items) {
    const group = groups.get(textOf(item));
    if (group === undefined) groups.set(textOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/**
 * Writes one item to the record of its key.
 * @throws UserError when several records hold the key.
 */
export async function writeUpsertItem(each: UpsertItem, record: UpsertRecord): Promise<OutputItem[]> {
  const isInDoubt = each.item.isInDoubt('insert_data');
  // An insert in doubt is looked up, not made: where that fails, too, it stays in doubt.
  if (record.failure !== null && !isInDoubt) throw record.failure;
  const [match, ...others] = record.matches;
  if (others.length > 0) throw severalMatches(each, record.matches);
  // A record that is there after an insert in doubt was made by that insert.
  const isNew = match === undefined || isInDoubt;
  return isNew ? await create(each, record) : await update(each, record, match);
}

async function create(each: UpsertItem, record: UpsertRecord): Promise<OutputItem[]> {
  const { item, app, context, change } = each;
  if (record.planned) return presentPlannedUpdate(each);
  const created = await settle(planCreate(item, app, change.values, context, async () => await lookUp(each)));
  if ('error' in created) {
    // Another item of this key would create the record a second time.
    if (isDoubt(created.error)) record.failure = created.error;
    throw asError(created.error);
  }
  const output = created.value;
  const id = output[0]?.json.id;
  record.planned = item.options().dryRun === true;
  if (typeof id === 'string') record.matches = [{ id, revision: null }];
  return output;
}

/** A dry run created nothing, but this item would change what an earlier one of the same key created. */
function presentPlannedUpdate({ item, app, change, context }: UpsertItem): OutputItem[] {
  const values = change.values.filter(({ value }) => value.kind !== 'keep');
  return presentDryRun({
    outcome: 'updated',
    action: 'update_data',
    fields: [['app_id', app.reference], ...optionFields(writeOptions(item, app, values))],
    request: buildWriteRequest(values, context.keyMode),
    values,
    current: null,
    context,
  });
}

async function update(each: UpsertItem, record: UpsertRecord, match: Match): Promise<OutputItem[]> {
  const { item, app, context, policy, change } = each;
  const revision =
    policy === 'overwrite' ? null : (match.revision ?? (await readCurrent(app, match.id, context)).revision);
  const output = await planUpdate(item, app, { id: match.id, ...change, policy, revision, context })();
  // What the run has written itself has another revision than the one that was matched.
  record.matches = [{ id: match.id, revision: null }];
  return output;
}

/** The record that an insert without an answer has created after all; `null` where there is none, or more than one. */
async function lookUp({ app, parts, key, context }: UpsertItem): Promise<string | null> {
  const matches = (await findMatches(app, parts, [key], context)).get(keyText(key)) ?? [];
  return matches.length === 1 ? (matches[0]?.id ?? null) : null;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function severalMatches({ parts, key }: UpsertItem, matches: readonly Match[]): UserError {
  const what = parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
  return new UserError(
    `${matches.length} records have ${what}: ${matches.map(({ id }) => id).join(', ')}`,
    'Nothing was written for this item. Match on parts that no two records share, or remove the duplicates.',
  );
}
