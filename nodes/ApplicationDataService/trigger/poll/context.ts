import type { TriggerState } from '../state/triggerState';
import type { PollMemory } from './pageSize';
import type { RecordSource } from './recordSource';
import type { Budget, Deliver, Given, PollSettings, Warn } from './settings';

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
}

/** The result of a part of a poll. */
export interface PartOfPoll<T> {
  readonly given: readonly Given<T>[];
  /** The failure that ended it early. Earlier progress is kept. */
  readonly failure?: unknown;
}
