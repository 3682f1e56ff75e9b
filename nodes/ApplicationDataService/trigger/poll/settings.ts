/** What happens to records. Saved in workflows: never change. */
export type EventName = 'created' | 'updated' | 'deleted';

/** What a poll is to look for. */
export interface PollSettings {
  /** Identifies what is watched: base URL, application, narrowing, watched parts. */
  readonly fingerprint: string;
  readonly events: ReadonlySet<EventName>;
  /** The list is narrowed: a record that is missing from it may still exist. */
  readonly narrowed: boolean;
  /** An update counts only when the hash of the watched parts changed. */
  readonly watchesParts: boolean;
  /** On the very first scan, the existing records count as created. */
  readonly emitExisting: boolean;
  /** Most records to emit at once. */
  readonly maxRecords: number;
  /**
   * Where quick polls are made: by which date/time part, and the milliseconds between full scans. Absent where every poll
   * is a full scan.
   */
  readonly quick?: { readonly part: string; readonly fullScanEveryMs: number } | undefined;
  /** How pages are read. */
  readonly paging: Paging;
}

export interface Paging {
  /** Records a page. */
  readonly length: number;
  /** Records by which a page begins before the last one ended. */
  readonly overlap: number;
}

/** How long a poll may go on. */
export interface Budget {
  /** Whether another page may be begun; some time is kept for reading what it finds. */
  mayScan(): boolean;
  /** Whether another record may be read. */
  mayRead(): boolean;
}

/** Something a person should know although the poll did not fail. */
export type Warn = (message: string) => void;

/** One thing that happened to a record. */
export type Change<R> =
  | {
      readonly event: 'created' | 'updated';
      readonly id: string;
      readonly revision: number;
      readonly previousRevision: number | null;
      readonly record: R;
    }
  | { readonly event: 'deleted'; readonly id: string; readonly previousRevision: number };
