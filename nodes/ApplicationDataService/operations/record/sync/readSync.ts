import type { INodeProperties } from 'n8n-workflow';

import { checkedFiltersProperty, match } from '../../../common/filters';
import { partKeyOption, partsToEmpty, tableRowMode, writeOptions } from '../../../common/options';
import {
  numberSetting,
  optionSwitch,
  type Setting,
  strictChoice,
  type Values,
} from '../../../common/setting';
import type { MatchMode } from '../../../parts/conditions/condition';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import type { IdSet } from '../../../util/ids';
import { UserError } from '../../../util/userError';
import type { Item } from '../../run/item';
import type { OutputItem } from '../../run/types';
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

/** What happens to records that are not in the input. */
interface RemovalTerms {
  readonly missing: 'keep' | 'delete';
  readonly maxRemovals: number;
  readonly match: MatchMode;
  /** As saved: one that cannot be used is refused for all items together. */
  readonly filters: unknown;
}

const KEEP_ALL: RemovalTerms = { missing: 'keep', maxRemovals: 0, match: 'all', filters: {} };

/** The records that no item has. */
export interface Rest {
  /** Those that are to be removed once every item is written. */
  missing: KeyedRecord[];
  /** Number of the others. */
  others: number;
  /** IDs of all records that there are. */
  readonly ids: IdSet;
  /** Number of records that may be removed, those that are in the input included. */
  inScope: number;
}

export interface SyncWork extends KeyedWork<Values<typeof syncOptions>> {
  readonly terms: RemovalTerms;
  /** Shared by all works, once all records were read. */
  rest: Rest | null;
  /** The record with this key; `null` if there is none. */
  record: KeyedRecord | null;
  /** What it gives, none if it failed; of the first item in a dry run, in the end, after what would be removed. */
  outputs: OutputItem[];
}

/** An item is the state of a record: a table part without a value keeps its rows, an empty list has none. */
const STATE = { blankKeepsRows: true } as const;

/**
 * Reads what an item wants, before anything is compared or written. An item without a key passes: it is refused with
 * all others.
 * @throws UserError for an AI agent; for a setting that cannot be read; and as `readKeyed`.
 */
export function readSync(item: Item, options: Values<typeof syncOptions>): SyncWork | Promise<SyncWork> {
  if (item.run.byAgent) {
    throw new UserError(
      'Sync does not work with an AI agent: it needs the whole list as its input, and an agent sends one record at a time',
      'Use Create or Update for single records, and Delete for those to remove.',
    );
  }
  return readKeyed(item, options, STATE, (keyed): SyncWork => {
    const update = { ...keyed.update, isState: true, sends: 'changes' } as const;
    const terms = item.get(missing) === 'keep' ? KEEP_ALL : readTerms(item);
    return { ...keyed, update, terms, rest: null, record: null, outputs: [] };
  });
}

function readTerms(item: Item): RemovalTerms {
  return item.run.parameters.derived<RemovalTerms>(['maxRemovals', 'match', 'filters'], maxRemovals, () => ({
    missing: 'delete',
    maxRemovals: item.get(maxRemovals),
    match: item.get(match),
    filters: item.value('filters', {}),
  }));
}
