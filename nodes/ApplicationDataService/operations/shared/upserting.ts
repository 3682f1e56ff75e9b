import type { ResourceMapperValue } from 'n8n-workflow';

import type { WriteContext } from '../../parts/codec';
import { findPart } from '../../parts/lookup';
import { namePart } from '../../parts/errors';
import type { Part } from '../../parts/part';
import type { EncodedPart } from '../../parts/record';
import { readCurrent } from '../../service/current';
import { toServiceError } from '../../service/errors';
import { canonical, findMatches, keyText, type Match, type MatchKey } from '../../service/match';
import type { ConflictPolicy } from '../../service/conflict';
import type { ApplicationSession } from '../../service/session';
import { buildWriteRequest } from '../../service/writeRequest';
import { UserInputError } from '../run/errors';
import { settle } from '../run/concurrently';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../types';
import { runCreate } from './creating';
import { presentDryRun } from './dryRun';
import { keyModeForWriting } from './keyMode';
import { assertValuesGiven, mappedValues } from './mapping';
import { assertMergeable, readPolicy } from './updatePolicy';
import { runUpdate, withEmptiedParts } from './updating';

/** An item of Create or Update, ready to be matched. */
export interface UpsertItem {
  readonly item: ItemRun;
  readonly app: ApplicationSession;
  readonly context: WriteContext;
  readonly policy: ConflictPolicy;
  readonly values: readonly EncodedPart[];
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** Items with the same group are matched together: one application, the same matching parts. */
  readonly group: string;
}

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserInputError without a matching part, or where the item has no value for one.
 */
export async function readUpsertItem(item: ItemRun): Promise<UpsertItem> {
  const app = await item.application();
  const policy = readPolicy(item);
  assertMergeable(item, policy);
  const context: WriteContext = { keyMode: await keyModeForWriting(item, app), timezone: item.timezone() };
  const mapped = mappedValues(item, app.application.parts, context);
  assertValuesGiven(mapped);
  const parts = matchingParts(item, app);
  const key = parts.map((part) => keyValue(part, mapped));
  const values = withEmptiedParts(item, app, mapped, context);
  const group = JSON.stringify([app.reference, context, parts.map(({ id }) => id)]);
  return { item, app, context, policy, values, parts, key, group };
}

function matchingParts(item: ItemRun, app: ApplicationSession): readonly Part[] {
  const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
  const columns = mapping?.matchingColumns ?? [];
  if (columns.length > 0) return columns.map((text) => findPart(app.application.parts, text));
  throw new UserInputError(
    'No part is chosen by which to find the record',
    'Choose one or more parts to match on, for example a customer number that no two records share.',
  );
}

function keyValue(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value?.kind === 'text' && value.text !== '') return canonical(part, value.text);
  const isEmpty = value === undefined || value.kind === 'text' || value.kind === 'keep';
  throw new UserInputError(
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
  /** Why the records could not be searched. */
  readonly failure?: unknown;
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
      records.push({
        items: sameKey,
        matches,
        planned: false,
        ...('error' in found && { failure: found.error }),
      });
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
 * @throws UserInputError when several records hold the key.
 */
export async function writeUpsertItem(each: UpsertItem, record: UpsertRecord): Promise<OutputItem[]> {
  if (record.failure !== undefined) throw toServiceError(record.failure);
  const [match, ...others] = record.matches;
  if (others.length > 0) throw severalMatches(each, record.matches);
  return match === undefined ? await create(each, record) : await update(each, record, match);
}

async function create(each: UpsertItem, record: UpsertRecord): Promise<OutputItem[]> {
  const { item, app, context, values } = each;
  if (record.planned) return presentPlannedUpdate(each);
  const output = await runCreate(item, app, values, context, async () => await lookUp(each));
  const id = output[0]?.json.id;
  record.planned = item.options().dryRun === true;
  if (typeof id === 'string') record.matches = [{ id, revision: null }];
  return output;
}

/** A dry run created nothing, but this item would change what an earlier one of the same key created. */
function presentPlannedUpdate({ app, values, context }: UpsertItem): OutputItem[] {
  return presentDryRun({
    outcome: 'updated',
    action: 'update_data',
    fields: [['app_id', app.reference]],
    request: buildWriteRequest(values, context.keyMode),
    values,
    current: null,
    context,
  });
}

async function update(each: UpsertItem, record: UpsertRecord, match: Match): Promise<OutputItem[]> {
  const { item, app, context, policy, values } = each;
  const revision =
    policy === 'overwrite' ? null : (match.revision ?? (await readCurrent(app, match.id, context)).revision);
  const output = await runUpdate(item, app, { id: match.id, values, policy, revision, context });
  // What the run has written itself has another revision than the one that was matched.
  record.matches = [{ id: match.id, revision: null }];
  return output;
}

/** The record that an insert without an answer has created after all; `null` where there is none, or more than one. */
async function lookUp({ app, parts, key, context }: UpsertItem): Promise<string | null> {
  const matches = (await findMatches(app, parts, [key], context)).get(keyText(key)) ?? [];
  return matches.length === 1 ? (matches[0]?.id ?? null) : null;
}

function severalMatches({ parts, key }: UpsertItem, matches: readonly Match[]): UserInputError {
  const what = parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
  return new UserInputError(
    `${matches.length} records have ${what}: ${matches.map(({ id }) => id).join(', ')}`,
    'Nothing was written for this item. Match on parts that no two records share, or remove the duplicates.',
  );
}
