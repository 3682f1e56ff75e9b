import { applicationProperty, changeNotice, matchedPartsProperty } from '../../../common/properties';
import { readText } from '../../../parts/values/shapes';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import type { CurrentRecord } from '../../../service/read/records';
import type { Done } from '../../../service/write/checkpoint';
import { NO_CHECK } from '../../../service/write/form';
import { planUpdate } from '../../../service/write/update';
import { attempt } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { asUserError } from '../../../util/userError';
import type { Item } from '../../run/item';
import { type Outcome, type OutputItem, writeOperation } from '../../run/types';
import { holdsAllOf, planKeyed, writeKeyed } from '../keyed';
import { planSync } from './planSync';
import { readSync, removalProperties, syncOptions, type SyncWork } from './readSync';
import { removeMissing } from './removeMissing';

/** Record > Sync: makes the application match the input, all items together. */
export const syncRecords = writeOperation({
  resource: 'record',
  value: 'sync',
  refusesAgents: true,
  name: 'Sync',
  action: 'Sync records with a list',
  description: 'Create, update and optionally delete records so that the application matches the input',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, ...removalProperties],
  options: syncOptions,
  read: readSync,
  prepare: compare,
  run: runSync,
  finalize: removeMissing,
});

/** Most records of a long list need no change, as the list shows: their items are done before any is written. */
async function compare(works: NonEmpty<SyncWork>, unread: readonly Item[]): Promise<readonly Outcome[]> {
  const refusals = await planSync(works, unread);
  return works.map((work, index) => refusals[index] ?? unchanged(work));
}

function unchanged(work: SyncWork): Outcome {
  const { item, options, record, update } = work;
  if (record === null || options.dryRun || item.run.memory.isBegun(item.index)) return undefined;
  if (!holdsAllOf(update, record.record)) return undefined;
  return { value: result(work, { id: record.id, outcome: 'unchanged' }) };
}

/** Makes the record of one item match the item: creates it, changes it, or leaves it unchanged. */
async function runSync(work: SyncWork): Promise<OutputItem[]> {
  const { item, app, options, update, record } = work;
  const target = record === null ? null : { id: record.id, known: knownOf(work, record) };
  if (options.dryRun) return result(work, (await planKeyed(work, update, target)).json);
  const checkpoint = item.checkpoint<Done>(app, '', [update.values, update.emptied]);
  const { id, outcome } = await writeKeyed(work, update, target, checkpoint);
  return result(work, { id, outcome });
}

function result({ sync }: SyncWork, json: OutputItem['json']): OutputItem[] {
  const outcome = readText(json.outcome);
  sync!.outcomes.set(outcome, (sync!.outcomes.get(outcome) ?? 0) + 1);
  return [{ json }];
}

/**
 * The listed record, where it tells what is to be sent; `null` where only the record itself does: the list gives no
 * revision to write under, or rows or files differ, of which it may show less.
 */
function knownOf({ update }: SyncWork, listed: KeyedRecord): CurrentRecord | null {
  const current = { ...listed, revision: listed.revision ?? NO_CHECK };
  const planned = attempt(() => planUpdate(update, current));
  if ('error' in planned) {
    asUserError(planned.error);
    return null;
  }
  const { values } = planned.value;
  const isPlain = listed.revision !== null && values.every(({ value }) => value.kind === 'text');
  return values.length === 0 || isPlain ? current : null;
}
