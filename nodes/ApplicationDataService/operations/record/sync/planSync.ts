import { assertOffered } from '../../../parts/encode';
import { ownIdPart } from '../../../parts/model/lookup';
import { recordReader } from '../../../parts/record';
import type { Part } from '../../../parts/model/part';
import { readWholeList } from '../../../service/read/wholeList';
import { attempt } from '../../../util/concurrently';
import { UserError } from '../../../util/userError';
import { hintAtRemarks } from '../../output/remarks';
import type { Item } from '../../run/item';
import { COUNTED_FROM_ZERO } from '../../run/itemNumbers';
import type { Group } from '../../run/types';
import { assertItemKeys, assertOneRecord, type ItemKey } from './assertKeys';
import { keysOfUnread } from './keysOfUnread';
import { withRevisions } from './knownRevisions';
import { RecordScan, type ListedRecord, type MissingRecord } from './recordScan';
import { removalRefusal } from './removalGuards';
import { standingOf } from './standing';
import type { SyncWork } from './syncWork';
import { keyText, type MatchKey } from '../../../service/read/keyedRecords';

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
  const scan = await scanRecords(works, unreadKeys);
  const matchesOf = (key: MatchKey): readonly ListedRecord[] => scan.matches.get(keyText(key)) ?? [];
  for (const each of unreadKeys) assertOneRecord(parts, each, matchesOf(each.key));
  const refusals = works.map((work, position) => {
    const matches = matchesOf(work.key);
    assertOneRecord(parts, keys[position]!, matches);
    work.record = matches[0] ?? null;
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

async function scanRecords(works: Group<SyncWork>, unreadKeys: readonly ItemKey[]): Promise<RecordScan> {
  const [{ item, app, parts, context, removal }] = works;
  const wanted = new Set([...works, ...unreadKeys].map(({ key }) => keyText(key)));
  const scan = new RecordScan(parts, context, wanted, removal, item.run.memory.writtenIds());
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
  hintAtRemarks(item, {
    hidden: removal.scope.hidden,
    readWhole: false,
    unknownNames: removal.names.unknown,
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
