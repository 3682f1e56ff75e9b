/** A record as a list or a read shows it. `R` is a whole record of the service. */
export interface RecordVersion<R = unknown> {
  readonly id: string;
  readonly revision: number;
  /** A 32-bit hash for each watched part, 0 for one in error; one for all of them if the state has only that. */
  readonly hashes: readonly number[];
  /** Values of the watched parts, where these are kept: JSON, empty for a part in error. */
  readonly values?: readonly string[] | undefined;
  /** The record does not meet the conditions that are checked here: it counts as not listed. */
  readonly isOut?: boolean;
  /** Absent if only what is compared was read. */
  readonly record?: R | undefined;
  /** Value of the date/time part by which the newest are listed; empty if it is not known. */
  readonly updated: string;
}

/** A record read whole. */
export type WholeRecord<R> = RecordVersion<R> & { readonly record: R };

/** Which records of a list to read. */
export interface PageRequest {
  /** By ascending or descending ID, or last changed first: none if no part shows when a record was changed. */
  readonly order: 'id' | 'lastId' | 'newest';
  /** Whole records; otherwise only what is compared. */
  readonly whole?: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly withinMs: number;
}

/**
 * What a failure is about: one record, page or file; a call that took too long; a service that could not answer after
 * all tries of a call; or the service as a whole, or what is asked of it.
 */
export type Trouble = 'record' | 'late' | 'busy' | 'service';

/** The watched records, as a poll reads them. Calls throw what the service answered. Each call can be repeated. */
export interface RecordSource<R> {
  /** Records that meet the filter. */
  list(slice: PageRequest): Promise<RecordVersion<R>[]>;
  /**
   * Records with these IDs, in one request, whether they meet the filter or not; none if the service cannot list them
   * so.
   */
  byIds(ids: readonly string[], whole: boolean): Promise<RecordVersion<R>[]>;
  /** One record, whether it meets the filter or not; `null` when the service refuses it. */
  read(id: string): Promise<WholeRecord<R> | null>;
  /** Whether the application answers well: a record reads, or, if it has none at all, an unnarrowed count says 0. */
  answersWell(): Promise<boolean>;
  /** Makes sure that records the application does not show do not exist. Throws if it is not running. */
  assertRunning(): Promise<void>;
  troubleOf(failure: unknown): Trouble;
  /** Milliseconds that calls have waited for their turn at the service so far. */
  waitedMs(): number;
}

/** What happens to records. Saved in workflows: never change. */
export type EventName = 'created' | 'updated' | 'deleted';

/** What a poll looks for. */
export interface PollSettings {
  /** Identifies what is watched: base URL, application, narrowing. */
  readonly fingerprint: string;
  /** Identifies the credential without revealing anything about it. */
  readonly credential: string;
  readonly events: ReadonlySet<EventName>;
  /** The list is narrowed: a record that is missing from it may still exist. */
  readonly narrowed: boolean;
  /** IDs of the parts whose change counts as an update; none if every change does. */
  readonly watched: readonly string[];
  /** On the very first scan, the existing records count as created. */
  readonly emitExisting: boolean;
  /** How many records to emit at most in one poll. */
  readonly maxRecords: number;
  /**
   * For quick polls: the date/time part, and the milliseconds between full scans. Absent if every poll is a full scan.
   */
  readonly quick?: { readonly part: string; readonly fullScanEveryMs: number } | undefined;
  /** By how many records pages overlap. */
  readonly overlap: number;
}

/** How long a poll, or a part of it, may go on. */
export interface Budget {
  /** Milliseconds that are left; 0 or less when it is over. */
  left(): number;
}

/** Reports something that a person should know although the poll did not fail. */
export type Warn = (message: string) => void;

/** One thing that happened to a record. */
export type RecordChange<R> =
  | {
      readonly event: 'created' | 'updated';
      readonly id: string;
      readonly revision: number | null;
      readonly previousRevision: number | null;
      /** `null` if it cannot be read, because of the failure. */
      readonly record: R | null;
      readonly failure?: unknown;
      /** The last known and the current values of the watched parts. */
      readonly before: readonly string[] | undefined;
      readonly after: readonly string[] | undefined;
      /** Whether each hash of the record changed; `null` if that is not known. */
      readonly changed: readonly boolean[] | null;
    }
  | {
      readonly event: 'deleted';
      readonly id: string;
      readonly previousRevision: number;
      readonly before: readonly string[] | undefined;
    };

/**
 * Makes an item from a change, or says why it must wait: a file of the record cannot be read now. Throws only failures
 * of the service as a whole.
 * @param isLastTry the item is output without the files that cannot be read.
 */
export type Deliver<R, T> = (
  change: RecordChange<R>,
  isLastTry: boolean,
  withinMs: number,
) => Promise<{ readonly item: T } | { readonly later: unknown }>;

/** An item, and its change. */
export interface Emitted<T> {
  readonly event: EventName;
  readonly id: string;
  readonly item: T;
}
