import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { deleteRecords, type Deletion } from '../../service/write/deletion';
import { findExisting } from '../../service/read/existing';
import type { ApplicationSession } from '../../service/application/session';
import { settle } from '../../util/concurrently';
import type { ItemRun } from '../run/itemRun';
import { assertExplicitIds } from '../input/explicitIds';
import { dryRunOption } from '../../common/options';
import { applicationProperty, optionsProperty } from '../../common/properties';
import { readSeveral } from '../input/several';
import type { BatchOperation, Flow, ItemOutcome } from '../run/types';

const recordIdsProperty: INodeProperties = {
  displayName: 'Record ID',
  name: 'recordId',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. 12 or 12,13',
  description: 'ID of the record to delete; several are separated by commas or given as an array',
};

/** An item with the ids it names. */
interface DeleteItem {
  readonly item: ItemRun;
  readonly app: ApplicationSession;
  readonly ids: readonly string[];
  /** What became of it when n8n ran it before. */
  readonly done: IDataObject | undefined;
  /** Ids that were found when n8n ran it before, without finishing it: what is gone of these, this run has deleted. */
  readonly found: readonly string[];
}

/** Record > Delete (interface.md, "delete_data"). */
export const deleteRecord: BatchOperation = {
  resource: 'record',
  value: 'delete',
  name: 'Delete',
  action: 'Delete a record',
  description: 'Delete one or more records',
  properties: [applicationProperty, recordIdsProperty, optionsProperty([dryRunOption])],
  async executeAll(items, flow) {
    const outcomes: (ItemOutcome | undefined)[] = items.map(() => undefined);
    const ready: DeleteItem[] = [];
    for (const item of items) {
      const read = await settle(async () => await readItem(item));
      if ('error' in read) outcomes[item.index] = read;
      else if (read.value.done !== undefined) outcomes[item.index] = { output: [{ json: read.value.done }] };
      else ready.push(read.value);
    }
    if (flow.stopOnError && outcomes.some((outcome) => outcome !== undefined && 'error' in outcome))
      return outcomes;
    for (const group of byApplicationAndMode(ready)) await deleteGroup(group, outcomes, flow);
    return outcomes;
  },
};

async function readItem(item: ItemRun): Promise<DeleteItem> {
  const ids = readIds(item);
  const app = await item.application();
  const { found, ...done } = item.remembered(ids) ?? {};
  return {
    item,
    app,
    ids,
    done: 'outcome' in done ? done : undefined,
    found: Array.isArray(found) ? (found as string[]) : [],
  };
}

/** @throws UserError where the item names no id, or something that cannot be one. */
function readIds(item: ItemRun): string[] {
  const ids = readSeveral(item, 'recordId');
  if (ids.length === 0) {
    throw new UserError(
      'The record ID is empty',
      'Enter it, or check the expression that should give it: it was empty for this item.',
    );
  }
  assertExplicitIds(item, ids, 'records');
  const wrong = ids.find((id) => !/^[\w-]+$/.test(id));
  if (wrong === undefined) return ids;
  throw new UserError(
    `"${wrong}" is no record ID`,
    'Separate several IDs by commas, or give them as an array.',
  );
}

function byApplicationAndMode(items: readonly DeleteItem[]): DeleteItem[][] {
  const groups = new Map<string, DeleteItem[]>();
  for (const each of items) {
    const key = JSON.stringify([each.app.reference, isDryRun(each)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

const isDryRun = ({ item }: DeleteItem): boolean => item.options().dryRun === true;

/** Deletes the records of all items together, and tells them apart again. */
async function deleteGroup(
  group: readonly DeleteItem[],
  outcomes: (ItemOutcome | undefined)[],
  flow: Flow,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const ids = [...new Set(group.flatMap((each) => each.ids))];
  const done = await settle(async () => await deleteAll(first, ids, group, flow));
  for (const each of group) {
    outcomes[each.item.index] = 'error' in done ? done : outcomeOf(each, done.value);
  }
}

async function deleteAll(
  first: DeleteItem,
  ids: readonly string[],
  group: readonly DeleteItem[],
  flow: Flow,
): Promise<Deletion> {
  const { app } = first;
  const found = await findExisting(app, ids, await app.keyMode());
  const existing = ids.filter((id) => found.has(id));
  const before = new Set(group.flatMap((each) => each.found));
  const notFound = new Set(ids.filter((id) => !found.has(id) && !before.has(id)));
  if (isDryRun(first)) return { deleted: new Set(existing), notFound, failed: new Map() };
  for (const { item, ids: own } of group) {
    item.remember(own, { found: own.filter((id) => !notFound.has(id)) });
  }
  const { deleted, failed } = await deleteRecords(app, existing, () => flow.signal?.aborted !== true);
  const gone = [...before].filter((id) => !found.has(id));
  return { notFound, deleted: new Set([...deleted, ...gone]), failed };
}

function outcomeOf(each: DeleteItem, { deleted, notFound, failed }: Deletion): ItemOutcome | undefined {
  const culprits = each.ids.flatMap((id) => failed.get(id) ?? []);
  const gone = each.ids.filter((id) => deleted.has(id));
  const [culprit] = culprits;
  if (culprit !== undefined) {
    const stays = each.ids.filter((id) => failed.has(id)).join(', ');
    const went =
      gone.length === 0 ? 'Nothing else was deleted for this item.' : `Deleted were: ${gone.join(', ')}.`;
    return {
      error: new UserError(`Not deleted: ${stays}. ${culprit.message}`, `${went} ${culprit.description}`),
    };
  }
  // Cancelled before its turn came.
  if (each.ids.some((id) => !deleted.has(id) && !notFound.has(id))) return undefined;
  const json: IDataObject = {
    ...(isDryRun(each) && { dryRun: true }),
    deleted: gone.length > 0 && !isDryRun(each),
    ids: gone,
    notFound: each.ids.filter((id) => notFound.has(id)),
    outcome: gone.length > 0 ? 'deleted' : 'notFound',
  };
  if (!isDryRun(each)) each.item.remember(each.ids, json);
  each.item.run.hints.count(gone.length > 0 ? 'deleted' : 'not found');
  return { output: [{ json }] };
}
