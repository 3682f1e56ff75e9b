import type { TriggerState } from '../state/triggerState';
import type { Budget, Deliver, Emitted, PollSettings, RecordSource, Warn } from './contract';
import { PageSize } from './time';

/** What this process remembers between polls. Losing it only costs requests. */
export interface PollMemory {
  /** Page sizes of the two kinds of lists: of what is compared, and of whole records. */
  readonly versions: PageSize;
  readonly whole: PageSize;
  /** Full scans and quick passes so far, to see which of them proves where the list ends. */
  readonly passes: { scan: number; quick: number };
  /** More records than a first page holds changed in the period that the last quick pass looked back on. */
  isBusy: boolean;
  /** Where in the list the open scan continues after an ID; `null` if that is not known. */
  place: { readonly after: string | null; readonly offset: number } | null;
  /** Missing records whose reading failed. */
  readonly unreadable: Set<string>;
}

/** A memory that holds nothing yet. @param most how many records a page may have at most. */
export function newPollMemory(most: number): PollMemory {
  return {
    versions: new PageSize(most),
    whole: new PageSize(most),
    passes: { scan: 0, quick: 0 },
    isBusy: false,
    place: null,
    unreadable: new Set(),
  };
}

/** The source and settings of a poll. `R` is a record of the service. */
export interface ReadContext<R = unknown> {
  readonly state: TriggerState;
  readonly source: RecordSource<R>;
  readonly settings: PollSettings;
  readonly budget: Budget;
  readonly memory: PollMemory;
  readonly warn: Warn;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a poll works with. `T` is an item. */
export interface PollContext<R, T> extends ReadContext<R> {
  readonly deliver: Deliver<R, T>;
  /** What it outputs. */
  readonly emitted: Emitted<T>[];
}
