import { readCheckedConditions } from '../../../common/filters';
import { applicationProperty, changeNotice, matchedPartsProperty } from '../../../common/properties';
import { RecordTest } from '../../../parts/conditions/recordTest';
import { storedKey } from '../../../parts/compare';
import { namePart } from '../../../parts/model/errors';
import type { Part } from '../../../parts/model/part';
import { recordReader } from '../../../parts/record';
import { isBlank } from '../../../parts/values/shapes';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { keyedList, type KeyedRecord, keyText } from '../../../service/read/keyedRecords';
import { type RawRecord, readPages } from '../../../service/read/recordList';
import { readRecord, type ShownRecord } from '../../../service/read/records';
import { planUpdate } from '../../../service/write/plan';
import type { Update } from '../../../service/write/update';
import { allOf, attempt } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { IdSet } from '../../../util/ids';
import { asUserError, UserError } from '../../../util/userError';
import { acceptedValues } from '../../input/recordWrites';
import { hintAtWarnings } from '../../output/records';
import type { Item } from '../../run/item';
import { type Outcome, type OutputItem, writeOperation } from '../../run/types';
import { choiceRefusal, holdsAllOf, matchingText, nameKey, planKeyed, writeKeyed } from '../keyed';
import { readSync, removalProperties, type Rest, syncOptions, type SyncWork } from './readSync';
import { removalRefusal, removeMissing } from './removal';

/**
 * Makes the application match the input. Reads all records by `list_data`, proves by `count_data` and `get_app` that
 * these are all, and refuses a removal that looks wrong; then writes each item by `insert_data` or `update_data`, if it
 * differs; last, reads what is to go again by `get_data`, and sends `delete_data`. One item per item, with ID and
 * outcome, then one for each record that went or was to go; in a dry run these come first, and nothing is sent.
 */
export const syncRecords = writeOperation({
  resource: 'record',
  value: 'sync',
  refusesAgents: true,
  name: 'Sync',
  action: 'Sync records with list',
  description: 'Create, update and optionally delete records so that the application matches the input',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, ...removalProperties],
  options: syncOptions,
  read: readSync,
  prepare: compareAll,
  run: runSync,
  finalize: removeMissing,
});

/** An item with its key, and the record that has it. */
type Sought = Pick<SyncWork, 'item' | 'key' | 'record'>;

/**
 * Reads all records once, and finds the record of each item and the records to remove. Writes nothing. Most records of
 * a long list need no change, as the list shows: their items are done then.
 * @param unread items that could not be read: then nothing is removed.
 * @throws UserError or ServiceError if nothing may be written for any item.
 */
async function compareAll(works: NonEmpty<SyncWork>, unread: readonly Item[]): Promise<readonly Outcome[]> {
  const [work] = works;
  const { app, parts, update, terms } = work;
  assertAlike(works);
  const { keyMode } = update.context;
  const context = { ...update.context, parts: app.application.parts };
  const scope = new RecordTest(readCheckedConditions(terms.filters, context), terms.match, keyMode);
  const wanted = byKey(parts, [...works, ...keysOfUnread(work, unread)]);
  const rest = await readRest(works, wanted, scope);
  const outcomes = works.map((each) => {
    each.rest = rest;
    return choiceRefusal(each, each.record?.record ?? null) ?? unchanged(each);
  });
  const isWhole = unread.length === 0 && !outcomes.some((each) => each !== undefined && 'error' in each);
  if (terms.missing === 'delete') await checkRemovals(works, rest, scope, isWhole);
  return outcomes;
}

function unchanged(work: SyncWork): Outcome {
  const { item, options, record, update } = work;
  if (record === null || options.dryRun || item.run.memory.isBegun(item.index)) return undefined;
  if (!holdsAllOf(update, record.record)) return undefined;
  return { value: endWork(work, { id: record.id, outcome: 'unchanged' }) };
}

/** @throws UserError if items differ in settings that apply to all of them together. */
function assertAlike([first, ...others]: NonEmpty<SyncWork>): void {
  const terms = sharedTerms(first);
  for (const work of others) {
    const { app, options, parts, terms: removal } = work;
    if (removal === first.terms && options === first.options && parts === first.parts && app === first.app)
      continue;
    const theirs = sharedTerms(work);
    const name = Object.keys(terms).find((each) => terms[each] !== theirs[each]);
    if (name === undefined) continue;
    throw new UserError(
      `The items ${first.item.index} and ${work.item.index} differ in "${name}"`,
      'Sync handles all items together. This setting needs the same value for all of them.',
    );
  }
}

/** Comparable values, by the names of their settings. */
function sharedTerms({ app, options, parts, update, terms }: SyncWork): Readonly<Record<string, unknown>> {
  return {
    Application: app.application.id,
    'Part Key': update.context.keyMode,
    'Part to Match On': parts.map(({ id }) => id).join(),
    'Records Not in the Input': terms.missing,
    'Max Removals': terms.maxRemovals,
    Filters: JSON.stringify([terms.match, terms.filters]),
    'Allow Most to Be Removed': options.allowMostRemovals,
    'Dry Run': options.dryRun,
  };
}

/**
 * The items by their keys: every item has one, and no two have the same.
 * @throws UserError naming the first items that violate this.
 */
function byKey(parts: readonly Part[], items: readonly Sought[]): ReadonlyMap<string, Sought> {
  const wanted = new Map<string, Sought>();
  for (const each of items) {
    const { key, item } = each;
    const empty = key.findIndex(isBlank);
    if (empty !== -1) {
      throw new UserError(
        `Item ${item.index} has no value for ${namePart(parts[empty]!)}, which identifies the record`,
        'Add a value for this part to each item, or leave out the items without one.',
      );
    }
    const text = keyText(key);
    const other = wanted.get(text);
    if (other !== undefined) {
      throw new UserError(
        `The items ${other.item.index} and ${item.index} have the same key: ${nameKey(parts, key)}`,
        'Sync writes each record once. Remove duplicates first, or match on more parts.',
      );
    }
    wanted.set(text, each);
  }
  return wanted;
}

/** Items that are not written, but whose records are in the input nevertheless, as far as their keys can be read. */
function keysOfUnread({ app, parts, update: { context } }: SyncWork, unread: readonly Item[]): Sought[] {
  return unread.flatMap((item) => {
    const key = attempt(() => {
      const values = acceptedValues({ item, app, context });
      return parts.map((part) => matchingText(part, values));
    });
    return 'error' in key || key.value.some(isBlank) ? [] : [{ item, key: key.value, record: null }];
  });
}

/**
 * Reads all records: tells each item the one that has its key, and returns the others.
 * @throws UserError if two have the key of an item; ServiceError if one does not show its key parts.
 */
async function readRest(
  works: NonEmpty<SyncWork>,
  wanted: ReadonlyMap<string, Sought>,
  scope: RecordTest,
): Promise<Rest> {
  const [{ item, app, parts, update, terms }] = works;
  const { writtenIds } = item.run.memory;
  const asked = new Set(scope.parts);
  for (const each of works) for (const { part } of each.update.values) asked.add(part);
  const { query, keyed } = keyedList(app, parts, update.context, [...asked]);
  const rest: Rest = { missing: [], others: 0, ids: new IdSet(), inScope: 0 };
  const twins: [Sought, string][] = [];
  const take = (record: KeyedRecord, raw: RawRecord): void => {
    const isInScope = terms.missing === 'delete' && scope.meets(raw);
    const sought = wanted.get(keyText(record.key));
    rest.ids.add(record.id);
    if (isInScope) rest.inScope += 1;
    if (sought?.record === null) sought.record = record;
    else if (sought !== undefined) twins.push([sought, record.id]);
    else if (isInScope && !writtenIds.has(record.id)) rest.missing.push(record);
    else rest.others += 1;
  };
  for await (const page of readPages(app, { ...query, isProof: true }))
    keyed(page).forEach((record, index) => take(record, page[index]!));
  const [twin] = twins;
  if (twin === undefined) return rest;
  const [sought] = twin;
  const others = twins.flatMap(([each, id]) => (each === sought ? id : []));
  const ids = [sought.record!.id, ...others];
  throw new UserError(
    `${ids.length} records have the key of item ${sought.item.index}, ${nameKey(parts, sought.key)}: ${ids.join(', ')}`,
    'Match on parts whose values are unique, or remove the duplicates in the application.',
  );
}

/**
 * Makes sure that the records without an item may go, and under which revisions.
 * @param isWhole whether every item can be written: else none of them goes in this run.
 * @throws UserError if a guard refuses it; in a dry run a hint says so.
 */
async function checkRemovals(
  works: NonEmpty<SyncWork>,
  rest: Rest,
  scope: RecordTest,
  isWhole: boolean,
): Promise<void> {
  const [work] = works;
  const { item, options } = work;
  hintAtWarnings(item, { hidden: scope.hidden });
  const refusal = removalRefusal(works, rest, isWhole);
  if (options.dryRun) {
    if (refusal !== null) item.run.hints.add(`Without Dry Run this would be refused: ${refusal.message}`);
    return;
  }
  if (refusal !== null) throw refusal;
  if (isWhole) rest.missing = await withRevisions(work, rest.missing, scope);
}

/** No record has this revision, so a record known under it counts as changed. */
const NO_REVISION = -1;

/**
 * The records with their revisions. If lists contain none, each record is read, and must still be the one that was
 * listed.
 * @throws ServiceError of the first that cannot be read.
 */
async function withRevisions(
  { item, app, parts, update }: SyncWork,
  missing: readonly KeyedRecord[],
  scope: RecordTest,
): Promise<KeyedRecord[]> {
  const tasks = missing.map((listed) => async () => {
    if (listed.revision !== null) return listed;
    const raw = await readRecord(app, listed.id, false);
    const record = recordReader(app.application.parts, update.context)(raw);
    const isSame = keyText(storedKey(parts, record, update.context)) === keyText(listed.key);
    return { ...listed, revision: isSame && scope.meets(raw) ? record.revision : NO_REVISION };
  });
  return await allOf(tasks, CALLS_AT_ONCE, item.run.context.getExecutionCancelSignal());
}

async function runSync(work: SyncWork): Promise<OutputItem[]> {
  const { item, app, options, update, record } = work;
  const target =
    record === null ? null : { id: record.id, revision: null, shown: enoughShown(update, record) };
  if (options.dryRun) return endWork(work, (await planKeyed(work, target)).json);
  const { id, items } = await writeKeyed(work, target, item.checkpoint(app, '', update.values));
  return endWork(work, { id, outcome: items[0]!.outcome });
}

function endWork(work: SyncWork, json: OutputItem['json']): OutputItem[] {
  work.outputs = [{ json }];
  return work.outputs;
}

/**
 * The listed record, where it tells what is to be sent; `null` where only the record itself does: rows or files differ,
 * of which it may show less.
 */
function enoughShown(update: Update, listed: KeyedRecord): ShownRecord | null {
  const planned = attempt(() => planUpdate(update, listed));
  if ('error' in planned) {
    asUserError(planned.error);
    return null;
  }
  const { request } = planned.value;
  return request.every(({ value }) => value.kind === 'text') ? listed : null;
}
