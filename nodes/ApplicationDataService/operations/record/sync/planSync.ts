import { storedKey } from '../../../parts/compare';
import { assertOffered } from '../../../parts/encode';
import { namePart } from '../../../parts/model/errors';
import { ownIdPart } from '../../../parts/types/id';
import type { Part } from '../../../parts/model/part';
import { recordReader, simplifyRecord } from '../../../parts/record';
import { isBlank } from '../../../parts/values/shapes';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { readWholeList } from '../../../service/read/absence';
import { keyText, type MatchKey, NearKeys } from '../../../service/read/keyedRecords';
import { readRecord } from '../../../service/read/records';
import { attempt, concurrently } from '../../../util/concurrently';
import { UserError } from '../../../util/userError';
import { acceptedValues } from '../../input/mapping';
import { matchingText } from '../../input/matchingKey';
import { hintAtNearKey, hintAtWarnings } from '../../output/warnings';
import { COUNTED_FROM_ZERO, type Item } from '../../run/item';
import type { Group } from '../../run/types';
import type { SyncWork } from './readSync';
import { type ListedRecord, RecordScan } from './recordScan';
import { type MissingRecord, removalRefusal, standingOf } from './removalGuards';

/**
 * Reads all records once, and finds the record of each item and the records to remove. Writes nothing.
 * @param unread items that could not be read: then nothing is removed.
 * @returns why single items cannot be written.
 * @throws UserError or ServiceError if nothing may be written for any item.
 */
export async function planSync(works: Group<SyncWork>, unread: readonly Item[]): Promise<readonly unknown[]> {
  const [{ parts, removal }] = works;
  assertAlike(works);
  if (removal.refusal !== null) throw removal.refusal;
  const keys = works.map(({ item: { index }, key }) => ({ index, key }));
  const unreadKeys = keysOfUnread(works[0], unread);
  assertItemKeys(parts, [...keys, ...unreadKeys]);
  const near = new NearKeys(works.map(({ key }) => key));
  const scan = await scanRecords(works, unreadKeys, near);
  const matchesOf = (key: MatchKey): readonly ListedRecord[] => scan.matches.get(keyText(key)) ?? [];
  for (const each of unreadKeys) assertOneRecord(parts, each, matchesOf(each.key));
  const refusals = works.map((work, position) => {
    const matches = matchesOf(work.key);
    assertOneRecord(parts, keys[position]!, matches);
    work.record = matches[0] ?? null;
    if (work.record === null) hintAtNearKey(work, near);
    return refusalOf(work);
  });
  const isWhole = unread.length === 0 && refusals.every((refusal) => refusal === null);
  const missing = await removable(works, scan, isWhole);
  const sync = { missing, others: scan.others, otherFiles: 0, outcomes: new Map<string, number>() };
  for (const work of works) work.sync = sync;
  return refusals;
}

/** @throws UserError if items differ in settings that apply to all of them together. */
function assertAlike(works: Group<SyncWork>): void {
  const [first] = works;
  const expected = termsOf(first);
  const text = JSON.stringify(expected);
  const other = works.find((work) => !sharesTerms(work, first) && JSON.stringify(termsOf(work)) !== text);
  if (other === undefined) return;
  const terms = termsOf(other);
  const name = Object.keys(terms).find(
    (each) => JSON.stringify(terms[each]) !== JSON.stringify(expected[each]),
  );
  throw new UserError(
    `The items ${first.item.index} and ${other.item.index} differ in "${name ?? ''}"`,
    `Sync handles all items together. This setting needs the same value for all of them. ${COUNTED_FROM_ZERO}`,
  );
}

/** Whether two items were read from the same settings objects, which need not be compared in detail. */
function sharesTerms(one: SyncWork, other: SyncWork): boolean {
  return (
    one.app === other.app &&
    one.options === other.options &&
    one.removal === other.removal &&
    one.parts === other.parts &&
    one.context.keyMode === other.context.keyMode
  );
}

function termsOf({ app, options, context, removal, parts }: SyncWork): Readonly<Record<string, unknown>> {
  return {
    Application: app.application.id,
    'Part Key': context.keyMode,
    'Part to Match On': parts.map(({ id }) => id),
    'Records Not in the Input': removal.missing,
    'Max Removals': removal.maxRemovals,
    Filters: removal.conditions,
    'Allow Most to Be Removed': options.allowMostRemovals,
    'Dry Run': options.dryRun,
  };
}

async function scanRecords(
  works: Group<SyncWork>,
  unreadKeys: readonly ItemKey[],
  near: NearKeys,
): Promise<RecordScan> {
  const [{ item, app, parts, context, removal }] = works;
  const wanted = new Set([...works, ...unreadKeys].map(({ key }) => keyText(key)));
  const scan = new RecordScan(parts, context, wanted, removal, item.run.memory.writtenIds(), near);
  const asked = askedParts(works);
  const idPart = ownIdPart(app.application.parts);
  const { keyMode } = context;
  const read = recordReader([...new Set(idPart === null ? asked : [idPart, ...asked])], { keyMode });
  for await (const page of readWholeList(app, { parts: asked, keyMode })) {
    for (const record of page) scan.take(read(record), record);
  }
  return scan;
}

/** The parts to read: key parts, parts that any item writes, and parts that decide the scope. */
function askedParts(works: Group<SyncWork>): Part[] {
  const [{ parts, removal }] = works;
  const asked = new Set<Part>([...parts, ...removal.scope.parts]);
  for (const { change } of works) {
    for (const { part } of change.values) asked.add(part);
    for (const part of change.emptied) asked.add(part);
  }
  return [...asked];
}

/** Why an item cannot be written to the record of its key, or as a new one; `null` if it can. */
function refusalOf({ change: { values }, record, context }: SyncWork): unknown {
  const checked = attempt(() => assertOffered(values, record?.record ?? null, context));
  return 'error' in checked ? checked.error : null;
}

/**
 * The records that are to go once every item is written.
 * @throws UserError if a guard refuses it; in a dry run it says so in a hint.
 */
async function removable(
  works: Group<SyncWork>,
  scan: RecordScan,
  isWhole: boolean,
): Promise<readonly MissingRecord[]> {
  const [{ item, parts, removal, options }] = works;
  if (removal.missing === 'keep') return [];
  const { missing, inScope } = scan;
  hintAtWarnings(item, {
    hidden: removal.scope.hidden,
    readWhole: null,
    unfound: inScope === 0 ? removal.people : [],
    nearMisses: removal.near.all,
  });
  const refused = removalRefusal({
    missing,
    isWhole,
    inScope,
    parts,
    keys: works.map(({ key }) => key),
    standing: standingOf(item.run.context),
    maxRemovals: removal.maxRemovals,
    allowMostRemovals: options.allowMostRemovals,
  });
  if (!options.dryRun) {
    if (refused !== null) throw refused;
    return isWhole ? await withRevisions(works[0], missing) : missing;
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
 * Makes sure that every item has a key, and no two have the same.
 * @throws UserError naming the first items that violate this.
 */
function assertItemKeys(parts: readonly Part[], items: readonly ItemKey[]): void {
  const seen = new Map<string, number>();
  for (const { index, key } of items) {
    const empty = parts.find((_, position) => isBlank(key[position]));
    if (empty !== undefined) {
      throw new UserError(
        `Item ${index} has no value for ${namePart(empty)}, which identifies the record`,
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
}

/**
 * Makes sure that no item's key belongs to two records.
 * @throws UserError naming the records.
 */
function assertOneRecord(
  parts: readonly Part[],
  { index, key }: ItemKey,
  records: readonly Pick<ListedRecord, 'id'>[],
): void {
  if (records.length < 2) return;
  throw new UserError(
    `${records.length} records have the key of item ${index}, ${nameKey(parts, key)}: ${records.map(({ id }) => id).join(', ')}`,
    `Match on parts whose values are unique, or remove the duplicates in the application. ${COUNTED_FROM_ZERO}`,
  );
}

function nameKey(parts: readonly Part[], key: MatchKey): string {
  return parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
}

/**
 * The keys of items that could not be read, as far as they are known. Such an item is not written, but its record is in
 * the input nevertheless.
 */
function keysOfUnread(
  { app, context, parts }: Pick<SyncWork, 'app' | 'context' | 'parts'>,
  unread: readonly Item[],
): readonly ItemKey[] {
  return unread.flatMap((item) => {
    try {
      const values = acceptedValues(item, app.application.parts, context);
      const key = parts.map((part) => matchingText(part, values));
      return key.every((text) => text.trim() !== '') ? [{ index: item.index, key }] : [];
    } catch {
      // The reason is already the item's error.
      return [];
    }
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
  work: SyncWork,
  missing: readonly MissingRecord[],
): Promise<readonly MissingRecord[]> {
  const { item } = work;
  const tasks = missing.map((record) => async () => await withRevision(work, record));
  const signal = item.run.context.getExecutionCancelSignal();
  const flow = { limit: CALLS_AT_ONCE, stopOnError: true, ...(signal && { signal }) };
  const read = await concurrently(tasks, flow);
  return missing.map((record, index) => {
    const result = read[index];
    if (result !== undefined && 'error' in result) throw result.error;
    return result?.value ?? record;
  });
}

async function withRevision(
  { app, context, parts, removal }: SyncWork,
  missing: MissingRecord,
): Promise<MissingRecord> {
  if (missing.revision !== null) return missing;
  const raw = await readRecord(app, missing.id, false);
  const record = simplifyRecord(raw, app.application.parts, { keyMode: context.keyMode });
  const isSame = keyText(storedKey(parts, record, context)) === keyText(missing.key);
  return { ...missing, revision: isSame && removal.scope.meets(raw) ? record.revision : NO_REVISION };
}
