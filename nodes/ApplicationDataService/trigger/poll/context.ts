import type { EventName } from '../../parts/model/keys';
import type { PageTerms } from '../../service/read/paging';
import type { RawRecord } from '../../service/read/recordList';
import type { RecordSource } from '../source/recordSource';
import type { PollTime } from '../source/time';
import type { TriggerState } from '../state/stateCodec';

export interface PollSettings {
  /** Identifies what is watched, and by which credential. */
  readonly fingerprint: string;
  readonly events: ReadonlySet<EventName>;
  /** In the very first scan, the existing records count as created. */
  readonly emitExisting: boolean;
  readonly maxRecords: number;
  /** For quick polls: the date/time part, and how often all is scanned. Absent if every poll is a full scan. */
  readonly quick?: { readonly part: string; readonly fullScanEveryMs: number } | undefined;
}

export interface RecordChange {
  readonly event: EventName;
  readonly id: string;
  readonly revision: number | null;
  readonly previousRevision: number | null;
  /** `null` if it was deleted, or cannot be read because of the failure. */
  readonly record: RawRecord | null;
  readonly failure?: unknown;
  /** The last known and the current values of the watched parts: JSON, empty for one that is unknown. */
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  /** Which watched parts changed: `null` for one that is in error now. */
  readonly changed?: readonly (boolean | null)[] | undefined;
}

/**
 * Makes an item from a change, or says why it must wait: a file of the record cannot be read now.
 * @param isLastTry the item is output without the files that cannot be read.
 * @throws only failures of the service as a whole.
 */
export type Deliver<T> = (
  change: RecordChange,
  isLastTry: boolean,
  withinMs: number,
) => Promise<{ readonly item: T } | { readonly later: unknown }>;

export interface Told<T> extends Pick<RecordChange, 'event' | 'id'> {
  readonly item: T;
}

export type Warn = (message: string) => void;

/** What a poll works with. `T` is an item. */
export interface PollTools<T> {
  readonly source: RecordSource;
  readonly settings: PollSettings;
  readonly time: PollTime;
  readonly deliver: Deliver<T>;
  readonly warn: Warn;
  /** How many polls the node has made: what is first in one is not first in the next. */
  readonly polls: number;
}

export interface PollContext<T> extends PollTools<T> {
  readonly state: TriggerState;
  /** When the poll began, in milliseconds since 1970. */
  readonly began: number;
  readonly emitted: Told<T>[];
  /** Records that were tried in this poll and failed. */
  readonly tried: Set<string>;
}

/** After this time, a page may be long again. */
const LENGTH_LASTS_MS = 3_600_000;

/** Pages are as long as they came in time; that is kept. */
export function pageLength<T>({ state, began }: PollContext<T>): Pick<PageTerms, 'length' | 'shortened'> {
  const passed = began - (state.pages?.since ?? -Infinity);
  return {
    length: passed >= 0 && passed < LENGTH_LASTS_MS ? state.pages?.length : undefined,
    shortened: (length) => void (state.pages = { length, since: began }),
  };
}
