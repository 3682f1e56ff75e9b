import type { Values } from '../../../common/setting';
import type { WriteContext } from '../../../parts/model/codec';
import type { Part } from '../../../parts/model/part';
import type { ApplicationSession } from '../../../service/application/session';
import type { Update } from '../../../service/write/update';
import type { Change } from '../../input/change';
import type { Item } from '../../run/item';
import type { ListedRecord, MissingRecord } from './recordScan';
import type { RemovalTerms } from './removalTerms';
import type { syncOptions } from './syncOptions';
import type { MatchKey } from '../../../service/read/keyedRecords';

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
export interface SyncState {
  /** Records to remove. */
  readonly missing: readonly MissingRecord[];
  /** Other records without an item. */
  readonly others: number;
  /** Files that are kept although the input has a different one of the same name. */
  otherFiles: number;
  /** How many items have each outcome. */
  readonly outcomes: Map<string, number>;
}
