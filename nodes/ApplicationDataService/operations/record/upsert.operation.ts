import { concurrently, settle } from '../../util/concurrently';
import { updateOptions } from '../../common/options';
import { applicationProperty, matchedPartsProperty, optionsProperty } from '../../common/properties';
import { conflictPolicyProperty } from '../input/updatePolicy';
import {
  matchRecords,
  readUpsertItem,
  writeUpsertItem,
  type UpsertItem,
  type UpsertRecord,
} from './upserting';
import type { BatchOperation, Flow, ItemOutcome } from '../run/types';
import type { ItemRun } from '../run/itemRun';

/** Record > Create or Update: exactly one match is updated, none is created, several are an error. */
export const upsertRecord: BatchOperation = {
  resource: 'record',
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update a record',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  properties: [
    applicationProperty,
    matchedPartsProperty,
    conflictPolicyProperty,
    optionsProperty(updateOptions),
  ],
  async executeAll(items, flow) {
    const outcomes: (ItemOutcome | undefined)[] = items.map(() => undefined);
    const ready = await readAll(items, outcomes);
    if (flow.stopOnError && outcomes.some((outcome) => outcome !== undefined)) return outcomes;
    const records = await matchRecords(ready);
    await concurrently(
      records.map((record) => async () => await writeInOrder(record, outcomes, flow)),
      flow,
    );
    return outcomes;
  },
};

/** All items are read before the first is matched: bad input is refused before anything is sent. */
async function readAll(
  items: readonly ItemRun[],
  outcomes: (ItemOutcome | undefined)[],
): Promise<UpsertItem[]> {
  const ready: UpsertItem[] = [];
  for (const item of items) {
    const read = await settle(async () => await readUpsertItem(item));
    if ('error' in read) outcomes[item.index] = read;
    else ready.push(read.value);
  }
  return ready;
}

/** Items for the same record one after the other: the second updates what the first created. */
async function writeInOrder(
  record: UpsertRecord,
  outcomes: (ItemOutcome | undefined)[],
  flow: Flow,
): Promise<void> {
  for (const each of record.items) {
    if (flow.signal?.aborted === true) return;
    const written = await settle(async () => await writeUpsertItem(each, record));
    outcomes[each.item.index] = 'error' in written ? written : { output: written.value };
    if ('error' in written && flow.stopOnError) throw written.error;
  }
}
