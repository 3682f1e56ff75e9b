import { partKeyOption } from '../../../common/options';
import { choiceSetting, optionSwitch, type Values } from '../../../common/setting';
import {
  autoAction,
  dryRun,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  relookupKeyParts,
  tableRowMode,
} from '../../../common/writeOptions';
import type { WriteContext } from '../../../parts/model/codec';
import type { Part } from '../../../parts/model/part';
import type { ApplicationSession } from '../../../service/application/session';
import type { MatchKey } from '../../../service/read/keyedRecords';
import type { Update } from '../../../service/write/update';
import { UserError } from '../../../util/userError';
import { assertValuesGiven, type Change, mappedValues, withEmptiedParts } from '../../input/mapping';
import { matchingParts, matchingText } from '../../input/matchingKey';
import { readUpdate, writeContext } from '../../input/recordWrites';
import type { Item } from '../../run/item';
import type { ListedRecord } from './recordScan';
import { type MissingRecord, readRemovalTerms, type RemovalTerms } from './removalGuards';

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

/** The options of Sync. */
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

/** What an item of Sync wants. */
export interface SyncWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly options: Values<typeof syncOptions>;
  readonly context: WriteContext;
  readonly removal: RemovalTerms;
  readonly change: Change;
  /** The change as an update of the record, without its ID. */
  readonly update: Update;
  /** The parts by which records are distinguished, and the item's texts for them. */
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** What was found out for all works together; `null` before. */
  sync: SyncState | null;
  /** The record with this key; `null` if there is none. */
  record: ListedRecord | null;
}

/** What all works of a run share. */
interface SyncState {
  /** Records to remove. */
  readonly missing: readonly MissingRecord[];
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
 * @throws UserError for an AI agent; without a matching part; for values that cannot be written.
 */
export async function readSync(item: Item, options: Values<typeof syncOptions>): Promise<SyncWork> {
  if (item.run.byAgent) throw notForAgents();
  const app = await item.application();
  const context = { ...(await writeContext(item, app, options.partKey)), blankKeepsRows: true };
  const removal = readRemovalTerms(item, app.application.parts, context);
  const parts = matchingParts(item, app);
  const mapped = mappedValues(item, app.application.parts, context, options.ignoreUnknown);
  const key = parts.map((part) => matchingText(part, mapped));
  if (key.every((text) => text !== '')) assertValuesGiven(mapped);
  const change = withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, context);
  return {
    item,
    app,
    options,
    context,
    removal,
    change,
    parts,
    key,
    sync: null,
    record: null,
    // Anything that would be refused for an update is refused before the first item is written.
    update: readUpdate(item, app, ANY_RECORD, change, context, { ...options, skipUnchanged: true }),
  };
}

/** The record is found later. */
const ANY_RECORD = { id: '', policy: 'overwrite', revision: null } as const;

function notForAgents(): UserError {
  return new UserError(
    'Sync does not work with an AI agent: it needs the whole list as its input, and an agent sends one record at a time',
    'Use Create or Update for single records, and Delete for those to remove.',
  );
}
