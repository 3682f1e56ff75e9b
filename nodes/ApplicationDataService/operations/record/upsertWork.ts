import type { upsertOptions } from '../../common/writeOptions';
import type { Values } from '../../common/setting';
import type { WriteContext } from '../../parts/model/codec';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import type { ConflictPolicy } from '../../service/write/diff';
import type { Change } from '../input/change';
import type { Item } from '../run/item';
import type { MatchKey } from '../../service/read/keyedRecords';

/** What an item of Create or Update wants. */
export interface UpsertWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly options: Values<typeof upsertOptions>;
  readonly context: WriteContext;
  readonly policy: ConflictPolicy;
  readonly change: Change;
  /** The matching parts, and the item's values for them. */
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** What is known of the record with this key; shared by all items of the key, once they are matched. */
  record: KeyedRecord | null;
}

/** A record that holds a key. Its revision is forgotten once the run has written it. */
export interface KnownMatch {
  readonly id: string;
  revision: number | null;
}

/** What is known of the record of one key. */
export interface KeyedRecord {
  /** Records that have the key; after the first write, the one that was written. */
  matches: readonly KnownMatch[];
  /** An earlier item would have created it if this were not a dry run. */
  planned: boolean;
  /** An earlier item of this key may or may not have created the record. */
  doubt: Error | null;
}
