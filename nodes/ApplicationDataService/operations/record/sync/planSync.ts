import { storedKey } from '../../../parts/compare';
import { namePart } from '../../../parts/model/errors';
import type { Part } from '../../../parts/model/part';
import { recordReader } from '../../../parts/record';
import { isBlank } from '../../../parts/values/shapes';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { keyedList, type KeyedRecord, keyText, type MatchKey } from '../../../service/read/keyedRecords';
import { readPages } from '../../../service/read/recordList';
import { readRecord } from '../../../service/read/records';
import { allOf, attempt } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { UserError } from '../../../util/userError';
import { acceptedValues } from '../../input/mapping';
import { hintAtWarnings } from '../../output/warnings';
import { COUNTED_FROM_ZERO, type Item } from '../../run/item';
import type { Outcome } from '../../run/types';
import { choiceRefusal, matchingText, nameKey } from '../keyed';
import type { SyncWork } from './readSync';
import { removalRefusal } from './removalGuards';

/**
 * Reads all records once, and finds the record of each item and the records to remove. Writes nothing.
 * @param unread items that could not be read: then nothing is removed.
 * @returns why single items cannot be written.
 * @throws UserError or ServiceError if nothing may be written for any item.
 */
export async function planSync(
  works: NonEmpty<SyncWork>,
  unread: readonly Item[],
): Promise<readonly Outcome[]> {
  const [work] = works;
  assertAlike(works);
  if (work.removal.refusal !== null) throw work.removal.refusal;
  const keys = works.map(({ item: { index }, key }) => ({ index, key }));
  const wanted = itemsByKey(work.parts, [...keys, ...keysOfUnread(work, unread)]);
  const scan = await scanRecords(works, wanted);
  assertOneRecordEach(work.parts, wanted, scan.matches);
  for (const each of works) each.record = scan.matches.get(keyText(each.key))?.[0] ?? null;
  const refusals = works.map((each) => choiceRefusal(each, each.record?.record ?? null));
  const isWhole = unread.length === 0 && refusals.every((refusal) => refusal === undefined);
  const missing = await removable(works, scan, isWhole);
  const sync = { missing, others: scan.others, outcomes: new Map<string, number>() };
  for (const each of works) Object.assign(each, { sync });
  return refusals;
}

/** The parameters whose settings apply to all items together. */
const SHARED = ['application', 'parts', 'options', 'missing', 'maxRemovals', 'match', 'filters'];

/** @throws UserError if items differ in settings that apply to all of them together. */
function assertAlike(works: NonEmpty<SyncWork>): void {
  const [first] = works;
  if (!SHARED.some((name) => first.item.run.parameters.hasExpression(name))) return;
  const terms = termsOf(first);
  for (const work of works) {
    const others = termsOf(work);
    const name = Object.keys(terms).find((each) => terms[each] !== others[each]);
    if (name === undefined) continue;
    throw new UserError(
      `The items ${first.item.index} and ${work.item.index} differ in "${name}"`,
      `Sync handles all items together. This setting needs the same value for all of them. ${COUNTED_FROM_ZERO}`,
    );
  }
}

/** Comparable values, by the names of their settings. */
function termsOf({ app, options, context, removal, parts }: SyncWork): Readonly<Record<string, unknown>> {
  return {
    Application: app.application.id,
    'Part Key': context.keyMode,
    'Part to Match On': parts.map(({ id }) => id).join(),
    'Records Not in the Input': removal.missing,
    'Max Removals': removal.maxRemovals,
    Filters: removal.conditions,
    'Allow Most to Be Removed': options.allowMostRemovals,
    'Dry Run': options.dryRun,
  };
}

/** The records of an application, by what becomes of them. */
interface Scan {
  /** Those of items, by their keys. */
  readonly matches: Map<string, KeyedRecord[]>;
  /** Records that are not in the input and may be removed. */
  readonly missing: KeyedRecord[];
  /** Number of records that are kept although they are not in the input. */
  others: number;
  /** Number of records that may be removed if they are not in the input. */
  inScope: number;
}

/** @throws ServiceError if a record does not show its key parts. */
async function scanRecords(works: NonEmpty<SyncWork>, wanted: ReadonlyMap<string, number>): Promise<Scan> {
  const [{ item, app, context, parts, removal }] = works;
  const written = item.run.memory.writtenIds;
  const asked = new Set(removal.scope.parts);
  for (const { update } of works) {
    for (const { part } of update.values) asked.add(part);
    for (const part of update.emptied) asked.add(part);
  }
  const { query, keyed } = keyedList(app, parts, context, [...asked]);
  const scan: Scan = { matches: new Map(), missing: [], others: 0, inScope: 0 };
  for await (const page of readPages(app, { ...query, isProof: true })) {
    keyed(page).forEach((record, index) => {
      const { id, key } = record;
      const text = keyText(key);
      const isInScope = removal.missing === 'delete' && removal.scope.meets(page[index]!);
      if (isInScope) scan.inScope += 1;
      if (wanted.has(text)) {
        const known = scan.matches.get(text);
        if (known === undefined) scan.matches.set(text, [record]);
        else known.push(record);
        return;
      }
      if (isInScope && !written.has(id)) scan.missing.push(record);
      else scan.others += 1;
    });
  }
  return scan;
}

/**
 * The records that are to go once every item is written.
 * @throws UserError if a guard refuses it; in a dry run it says so in a hint.
 */
async function removable(
  works: NonEmpty<SyncWork>,
  { missing, inScope }: Scan,
  isWhole: boolean,
): Promise<readonly KeyedRecord[]> {
  const [work] = works;
  const { item, parts, removal, options } = work;
  if (removal.missing === 'keep') return [];
  hintAtWarnings(item, { hidden: removal.scope.hidden });
  const refused = removalRefusal({
    missing,
    isWhole,
    inScope,
    parts,
    keys: works.map(({ key }) => key),
    context: item.run.context,
    maxRemovals: removal.maxRemovals,
    allowMostRemovals: options.allowMostRemovals,
  });
  if (!options.dryRun) {
    if (refused !== null) throw refused;
    return isWhole ? await withRevisions(work, missing) : missing;
  }
  if (refused !== null) item.run.hints.add(`Without Dry Run this would be refused: ${refused.message}`);
  return missing;
}

/** The key of an item, and the item's place in the input. */
interface ItemKey {
  readonly index: number;
  readonly key: MatchKey;
}

/**
 * The items by their keys: every item has one, and no two have the same.
 * @throws UserError naming the first items that violate this.
 */
function itemsByKey(parts: readonly Part[], items: readonly ItemKey[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  for (const { index, key } of items) {
    const empty = key.findIndex(isBlank);
    if (empty !== -1) {
      throw new UserError(
        `Item ${index} has no value for ${namePart(parts[empty]!)}, which identifies the record`,
        `Add a value for this part to each item, or leave out the items without one. ${COUNTED_FROM_ZERO}`,
      );
    }
    const text = keyText(key);
    const other = seen.get(text);
    if (other !== undefined) {
      throw new UserError(
        `The items ${other} and ${index} have the same key: ${nameKey(parts, key)}`,
        `Sync writes each record once. Remove duplicates first, or match on more parts. ${COUNTED_FROM_ZERO}`,
      );
    }
    seen.set(text, index);
  }
  return seen;
}

/** @throws UserError if the key of an item belongs to two records. */
function assertOneRecordEach(
  parts: readonly Part[],
  items: ReadonlyMap<string, number>,
  matches: Scan['matches'],
): void {
  for (const [text, records] of matches) {
    if (records.length < 2) continue;
    throw new UserError(
      `${records.length} records have the key of item ${items.get(text)}, ${nameKey(parts, records[0]!.key)}: ${records.map(({ id }) => id).join(', ')}`,
      `Match on parts whose values are unique, or remove the duplicates in the application. ${COUNTED_FROM_ZERO}`,
    );
  }
}

/**
 * The keys of items that could not be read, as far as they are known. Such an item is not written, but its record is in
 * the input nevertheless.
 */
function keysOfUnread({ app, context, parts }: SyncWork, unread: readonly Item[]): readonly ItemKey[] {
  return unread.flatMap((item) => {
    const key = attempt(() => {
      const values = acceptedValues(item, app.application.parts, context);
      return parts.map((part) => matchingText(part, values));
    });
    // The reason of a failure is already the item's error.
    return 'error' in key || key.value.some(isBlank) ? [] : [{ index: item.index, key: key.value }];
  });
}

/** No record has this revision, so a record known under it counts as changed. */
const NO_REVISION = -1;

/**
 * The records with their revisions. If lists contain none, each record is read, and must still be the one that was
 * listed.
 * @throws ServiceError of the first that cannot be read.
 */
async function withRevisions(
  { item, app, context, parts, removal }: SyncWork,
  missing: readonly KeyedRecord[],
): Promise<readonly KeyedRecord[]> {
  const tasks = missing.map((listed) => async () => {
    if (listed.revision !== null) return listed;
    const raw = await readRecord(app, listed.id, false);
    const record = recordReader(app.application.parts, { keyMode: context.keyMode })(raw);
    const isSame = keyText(storedKey(parts, record, context)) === keyText(listed.key);
    return { ...listed, revision: isSame && removal.scope.meets(raw) ? record.revision : NO_REVISION };
  });
  return await allOf(tasks, CALLS_AT_ONCE, item.run.context.getExecutionCancelSignal());
}
