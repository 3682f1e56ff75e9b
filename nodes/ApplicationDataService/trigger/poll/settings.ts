import type { Remembered } from '../state/remembered';
import type { Head } from './recordSource';

/** What happens to records. Saved in workflows: never change. */
export type EventName = 'created' | 'updated' | 'deleted';

/** What a poll looks for. */
export interface PollSettings {
  /** Identifies what is watched: base URL, application, narrowing, watched parts. */
  readonly fingerprint: string;
  /** Identifies the credential without revealing anything about it. */
  readonly credential: string;
  readonly events: ReadonlySet<EventName>;
  /** The list is narrowed: a record that is missing from it may still exist. */
  readonly narrowed: boolean;
  /** Whether a watched part changed, `null` if that is unknown now. Without this function, every change is an update. */
  readonly differs: ((known: Remembered, head: Head) => boolean | null) | null;
  /** The hash to remember for a head; without this function, its own. */
  readonly hashOf?: (head: Head, known: Remembered | undefined) => number;
  /** On the very first scan, the existing records count as created. */
  readonly emitExisting: boolean;
  /** How many records to emit at most in one poll. */
  readonly maxRecords: number;
  /**
   * For quick polls: the date/time part, and the milliseconds between full scans. Absent if every poll
   * is a full scan.
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
export type Change<R> =
  | {
      readonly event: 'created' | 'updated';
      readonly id: string;
      readonly revision: number | null;
      readonly previousRevision: number | null;
      /** `null` if it cannot be read. */
      readonly record: R | null;
      /** The last known and the current values of the watched parts. */
      readonly before: readonly string[] | undefined;
      readonly after: readonly string[] | undefined;
    }
  | {
      readonly event: 'deleted';
      readonly id: string;
      readonly previousRevision: number;
      readonly before: readonly string[] | undefined;
    };

/** The result for a change: an item, or nothing yet because part of it cannot be read now. */
export type Delivery<T> =
  | { readonly item: T }
  | {
      readonly later: unknown;
      /** Some of it could be read, so this does not count as a failed try. */
      readonly hasProgressed: boolean;
    };

/**
 * Makes an item from a change. Throws only failures of the service as a whole.
 * @param lacks why the item is output in part, without what cannot be read; `null` if it must be complete.
 */
export type Deliver<R, T> = (change: Change<R>, lacks: unknown, withinMs: number) => Promise<Delivery<T>>;

/** An item, and its change. */
export interface Given<T> {
  readonly event: EventName;
  readonly id: string;
  readonly item: T;
}
