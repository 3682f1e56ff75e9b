import type { INodeProperties } from 'n8n-workflow';

import { checkedFiltersProperty, match, readCheckedConditions } from '../../../common/filters';
import { partKeyOption, partsToEmpty, tableRowMode, writeOptions } from '../../../common/options';
import {
  numberSetting,
  optionSwitch,
  type Setting,
  strictChoice,
  type Values,
} from '../../../common/setting';
import { RecordTest } from '../../../parts/conditions/recordTest';
import type { Part, WriteContext } from '../../../parts/model/part';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { attempt } from '../../../util/concurrently';
import { UserError } from '../../../util/userError';
import type { Item } from '../../run/item';
import { type KeyedWork, readKeyed } from '../keyed';

const allowMostRemovals = optionSwitch(false, {
  displayName: 'Allow Most to Be Removed',
  name: 'allowMostRemovals',
  displayOptions: { show: { '/missing': ['delete'] } },
  description: 'Whether one run may remove more than half of the records that may be removed',
});

/** The input is a complete list, so its rows are complete, too. */
const wholeTables = strictChoice<'merge' | 'replace'>({ ...tableRowMode.property, default: 'replace' });

export const syncOptions = {
  ...writeOptions,
  allowMostRemovals,
  partKey: partKeyOption,
  partsToEmpty,
  tableRowMode: wholeTables,
};

const missing = strictChoice<'keep' | 'delete'>({
  displayName: 'Records Not in the Input',
  name: 'missing',
  type: 'options',
  options: [
    { name: 'Keep', value: 'keep', description: 'Leave them as they are' },
    { name: 'Delete', value: 'delete', description: 'Delete them, once all items were written' },
  ],
  default: 'keep',
  description: 'What to do with records that match no input item',
});

const whereDeleted = { show: { missing: ['delete'] } };

const maxRemovals: Setting<number> = {
  ...numberSetting({
    displayName: 'Max Removals',
    name: 'maxRemovals',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 100,
    displayOptions: whereDeleted,
    description: 'Write and delete nothing if more records than this would be deleted',
  }),
  refuses: 'empty',
};

/** What happens to records that are not in the input. */
interface RemovalTerms {
  readonly missing: 'keep' | 'delete';
  readonly maxRemovals: number;
  /** Decides which of the records may be removed. */
  readonly scope: RecordTest;
  /** Its conditions as they were saved, as JSON. */
  readonly conditions: string;
  /** Why the conditions cannot be used: then nothing is written for any item. `null` if they can. */
  readonly refusal: Error | null;
}

export const removalProperties: readonly INodeProperties[] = [
  missing.property,
  maxRemovals.property,
  {
    ...match.property,
    displayOptions: whereDeleted,
    description:
      'Whether a record must meet all conditions of the filters to be deleted, or at least one of them',
  },
  {
    ...checkedFiltersProperty,
    displayName: 'Only Remove Records That Match',
    displayOptions: whereDeleted,
    description:
      'Limits which records may be deleted. Without conditions, all records that are not in the input may be deleted.',
  },
];

export interface SyncWork extends KeyedWork {
  readonly options: Values<typeof syncOptions>;
  readonly removal: RemovalTerms;
  /** What was found out for all works together; `null` before. */
  sync: SyncState | null;
  /** The record with this key; `null` if there is none. */
  record: KeyedRecord | null;
}

/** What all works of a run share. */
interface SyncState {
  /** Records that are not in the input and are to be removed. */
  readonly missing: readonly KeyedRecord[];
  /** Other records without an item. */
  readonly others: number;
  /** How many items have each outcome. */
  readonly outcomes: Map<string, number>;
}

/**
 * Reads what an item wants, before anything is compared or written. An item without a key passes: it is refused with
 * all others.
 * @throws UserError for an AI agent, and as `readKeyed` and `readRemovalTerms`.
 */
export async function readSync(item: Item, options: Values<typeof syncOptions>): Promise<SyncWork> {
  if (item.run.byAgent) {
    throw new UserError(
      'Sync does not work with an AI agent: it needs the whole list as its input, and an agent sends one record at a time',
      'Use Create or Update for single records, and Delete for those to remove.',
    );
  }
  const keyed = await readKeyed(item, options, { blankKeepsRows: true });
  const { app, context, parts, key } = keyed;
  const removal = readRemovalTerms(item, app.application.parts, context);
  // Added, not spread: ten thousand copies of an item's work take as long as the rest.
  Object.assign(keyed.update, { stateOf: { parts, key } });
  return Object.assign(keyed, { options, removal, sync: null, record: null });
}

/** The settings that the terms are read from. */
const READ_FROM = {
  keep: ['options', 'missing'],
  delete: ['options', 'missing', 'maxRemovals', 'match', 'filters'],
};

/**
 * @throws UserError for a setting that cannot be read. A condition that cannot be used is refused for all items
 * together.
 */
function readRemovalTerms(
  item: Item,
  parts: readonly Part[],
  { keyMode, timezone }: WriteContext,
): RemovalTerms {
  const chosen = item.get(missing);
  return item.run.parameters.derived(READ_FROM[chosen], parts, () => {
    const isKept = chosen === 'keep';
    const filters = isKept ? {} : item.value('filters', {});
    const how = isKept ? 'all' : item.get(match);
    const read = attempt(() => readCheckedConditions(filters, { parts, keyMode, timezone }));
    const conditions = 'value' in read ? read.value : [];
    return {
      missing: chosen,
      maxRemovals: isKept ? 0 : item.get(maxRemovals),
      scope: new RecordTest(conditions, how, keyMode),
      conditions: JSON.stringify({ filters, match: how }),
      refusal: 'value' in read ? null : (read.error as Error),
    };
  });
}
