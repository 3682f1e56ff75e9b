import {
  partKeyOption,
  autoAction,
  dryRun,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  relookupKeyParts,
  tableRowMode,
} from '../../../common/options';
import { choiceSetting, optionSwitch, type Values } from '../../../common/setting';
import type { SimplifiedRecord } from '../../../parts/record';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { UserError } from '../../../util/userError';
import { type KeyedChange, readKeyedChange } from '../../input/recordWrites';
import type { Item } from '../../run/item';
import { readRemovalTerms, type RemovalTerms } from './removalGuards';

const allowMostRemovals = optionSwitch(false, {
  displayName: 'Allow Most to Be Removed',
  name: 'allowMostRemovals',
  displayOptions: { show: { '/missing': ['delete'] } },
  description: 'Whether one run may remove more than half of the records that may be removed',
});

/** The input is a complete list, so its rows are complete, too. */
const wholeTables = choiceSetting<'merge' | 'replace'>(
  { ...tableRowMode.property, default: 'replace' },
  { mustBeSaid: true },
);

export const syncOptions = {
  allowMostRemovals,
  dryRun,
  ignoreUnknown,
  relookupKeyParts,
  partKey: partKeyOption,
  partsToEmpty,
  peopleByName,
  autoAction,
  tableRowMode: wholeTables,
};

/** A record as a list shows it. */
export interface ListedRecord extends KeyedRecord {
  readonly record: SimplifiedRecord;
}

export interface SyncWork extends KeyedChange {
  readonly options: Values<typeof syncOptions>;
  readonly removal: RemovalTerms;
  /** What was found out for all works together; `null` before. */
  sync: SyncState | null;
  /** The record with this key; `null` if there is none. */
  record: ListedRecord | null;
}

/** What all works of a run share. */
interface SyncState {
  /** Records that are not in the input and are to be removed. */
  readonly missing: readonly ListedRecord[];
  /** Other records without an item. */
  readonly others: number;
  /** Files that are kept although the input has a different one of the same name. */
  otherFiles: number;
  /** How many items have each outcome. */
  readonly outcomes: Map<string, number>;
}

/**
 * Reads what an item wants, before anything is compared or written. An item without a key passes: it is refused with
 * all others.
 * @throws UserError for an AI agent, and as `readKeyedChange` and `readRemovalTerms`.
 */
export async function readSync(item: Item, options: Values<typeof syncOptions>): Promise<SyncWork> {
  if (item.run.byAgent) throw notForAgents();
  const keyed = await readKeyedChange(item, { ...options, skipUnchanged: true }, { blankKeepsRows: true });
  const removal = readRemovalTerms(item, keyed.app.application.parts, keyed.context);
  return { ...keyed, options, removal, sync: null, record: null };
}

function notForAgents(): UserError {
  return new UserError(
    'Sync does not work with an AI agent: it needs the whole list as its input, and an agent sends one record at a time',
    'Use Create or Update for single records, and Delete for those to remove.',
  );
}
