import type { Remembered } from '../state/remembered';
import type { Head } from './recordSource';

/** What happens to records. Saved in workflows: never change. */
export type EventName = 'created' | 'updated' | 'deleted';

/** What a poll is to look for. */
export interface PollSettings {
  /** Identifies what is watched: base URL, application, narrowing, watched parts. */
  readonly fingerprint: string;
  /** Identifies the credential, without telling anything of it. */
  readonly credential: string;
  readonly events: ReadonlySet<EventName>;
  /** The list is narrowed: a record that is missing from it may still exist. */
  readonly narrowed: boolean;
  /** Whether a watched part changed, `null` where that cannot be told now; no function where every change is an update. */
  readonly differs: ((known: Remembered, head: Head) => boolean | null) | null;
  /** The hash to remember of a head; its own where absent. */
  readonly hashOf?: (head: Head, known: Remembered | undefined) => number;
  /** On the very first scan, the existing records count as created. */
  readonly emitExisting: boolean;
  /** Most records to emit at once. */
  readonly maxRecords: number;
  /**
   * Where quick polls are made: by which date/time part, and the milliseconds between full scans. Absent where every poll
   * is a full scan.
   */
  readonly quick?: { readonly part: string; readonly fullScanEveryMs: number } | undefined;
  /** Records by which a page begins before the last one ended. */
  readonly overlap: number;
}

/** How long a poll, or a part of it, may go on. */
export interface Budget {
  /** Milliseconds that are left; 0 or less when it is over. */
  left(): number;
}

/** Something a person should know although the poll did not fail. */
export type Warn = (message: string) => void;

/** One thing that happened to a record. */
export type Change<R> =
  | {
      readonly event: 'created' | 'updated';
      readonly id: string;
      readonly revision: number | null;
      readonly previousRevision: number | null;
      /** `null` where it cannot be read. */
      readonly record: R | null;
      /** Values of the watched parts as they were known, and as they are. */
      readonly before: readonly string[] | undefined;
      readonly after: readonly string[] | undefined;
    }
  | {
      readonly event: 'deleted';
      readonly id: string;
      readonly previousRevision: number;
      readonly before: readonly string[] | undefined;
    };

/** What a change became: an item, or nothing yet because something of it cannot be had now. */
export type Delivery<T> =
  | { readonly item: T }
  | {
      readonly later: unknown;
      /** Some of it could be had, so that this was no failed try. */
      readonly hasProgressed: boolean;
    };

/**
 * Makes an item of a change. Throws only what concerns the service as a whole.
 * @param lacks why the item is to be given in part, without what cannot be had; `null` where it is to be whole.
 */
export type Deliver<R, T> = (change: Change<R>, lacks: unknown, withinMs: number) => Promise<Delivery<T>>;

/** An item, and what it is about. */
export interface Given<T> {
  readonly event: EventName;
  readonly id: string;
  readonly item: T;
}
