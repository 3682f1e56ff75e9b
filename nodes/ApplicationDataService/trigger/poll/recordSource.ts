/** What a scan asks of every record. */
export interface Head {
  readonly id: string;
  readonly revision: number;
  /** 32-bit hash of the watched parts; 0 where none are watched. */
  readonly hash: number;
}

/** A record in a list. `R` is a whole record as the service returns it. */
export interface ListedRecord<R> extends Head {
  /** Absent where the list does not contain the whole record. */
  readonly record: R | undefined;
  /** Value of the date/time part by which the newest are listed; empty where it is not known. */
  readonly updated: string;
}

/** A record read whole. */
export type WholeRecord<R> = Head & { readonly record: R };

/**
 * The records that are watched, as a poll reads them. Lists hold only what meets the filter. Calls throw what the
 * service answered; each may be made again.
 */
export interface RecordSource<R> {
  /** Heads in the order of record ids. */
  heads(offset: number, limit: number): Promise<Head[]>;
  /** Ids of the records with the highest ids, highest first. */
  lastIds(limit: number): Promise<string[]>;
  /** Records in the order of `heads`. */
  page(offset: number, limit: number): Promise<ListedRecord<R>[]>;
  /** Records, last changed first; none where no part shows when a record was changed. */
  newest(offset: number, limit: number): Promise<ListedRecord<R>[]>;
  /** Records with these ids, in one request; none where the service has proved that it cannot. */
  byIds(ids: readonly string[]): Promise<ListedRecord<R>[]>;
  /** One record, whether it meets the filter or not; `null` when the service refuses it. */
  read(id: string): Promise<WholeRecord<R> | null>;
  /**
   * Whether the application answers well at the moment: a record reads, or, where it has none at all, an unnarrowed count
   * says 0.
   */
  answersWell(): Promise<boolean>;
}
