/** What a scan reads of every record. */
export interface Head {
  readonly id: string;
  readonly revision: number;
  /** 32-bit hash of the watched parts; 0 if none are watched, `null` if it is unknown now. */
  readonly hash: number | null;
  /** Values of the watched parts, where these are kept: JSON, empty for a part in error. */
  readonly values?: readonly string[] | undefined;
  /** The record does not meet the conditions that are checked here: it counts as not listed. */
  readonly isOut?: boolean;
}

/** A record in a list. `R` is a whole record as the service returns it. */
export interface ListedRecord<R> extends Head {
  /** Absent if the list does not contain the whole record. */
  readonly record: R | undefined;
  /** Value of the date/time part by which the newest are listed; empty if it is not known. */
  readonly updated: string;
}

/** A record read whole. */
export type WholeRecord<R> = Head & { readonly record: R };

/** Which records of a list to read, and within how many milliseconds. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly withinMs: number;
}

/**
 * The watched records, as a poll reads them. Lists contain only records that meet the filter. Calls throw what the
 * service answered. Each call can be repeated.
 */
export interface RecordSource<R> {
  /** Heads in the order of record ids. */
  heads(slice: Slice): Promise<Head[]>;
  /** The same from an id on, with it; `null` if the service refuses that. */
  headsFrom(id: string, slice: Omit<Slice, 'offset'>): Promise<Head[] | null>;
  /** Ids of the records with the highest ids, highest first. */
  lastIds(limit: number): Promise<string[]>;
  /** Records in the order of `heads`. */
  page(slice: Slice): Promise<ListedRecord<R>[]>;
  /**
   * Records, last changed first; none if no part shows when a record was changed.
   * @param whole whether to read whole records; otherwise only what is compared.
   */
  newest(slice: Slice, whole: boolean): Promise<ListedRecord<R>[]>;
  /** Records with these ids, in one request; none if the service has proved that it cannot. */
  byIds(ids: readonly string[]): Promise<ListedRecord<R>[]>;
  /** One record, whether it meets the filter or not; `null` when the service refuses it. */
  read(id: string): Promise<WholeRecord<R> | null>;
  /**
   * Whether the application answers well at the moment: a record reads, or, if it has none at all, an unnarrowed count
   * says 0.
   */
  answersWell(): Promise<boolean>;
  /** Makes sure that records the application does not show do not exist. Throws if it is not running. */
  assertRunning(): Promise<void>;
  /** Whether a failure is that of the service as a whole rather than of one record, page or file. */
  concernsAll(failure: unknown): boolean;
  /** Milliseconds that calls have waited for their turn at the service so far. */
  waitedMs(): number;
  /** Whether a call took longer than it may. */
  isLate(failure: unknown): boolean;
}
