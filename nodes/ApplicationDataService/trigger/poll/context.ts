import { settle } from '../../util/concurrently';
import type { TriggerState } from '../state/triggerState';
import { PageSize, type Budget } from './time';

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

export type WholeRecord<R> = RecordVersion<R> & { readonly record: R };

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
  readonly maxRecords: number;
  /**
   * For quick polls: the date/time part, and the milliseconds between full scans. Absent if every poll is a full scan.
   */
  readonly quick?: { readonly part: string; readonly fullScanEveryMs: number } | undefined;
  readonly overlap: number;
}

/** Reports something that a person should know although the poll did not fail. */
export type Warn = (message: string) => void;

export interface RecordChange<R> {
  readonly event: EventName;
  readonly id: string;
  /** `null` if it was deleted. */
  readonly revision: number | null;
  readonly previousRevision: number | null;
  /** `null` if it was deleted, or cannot be read because of the failure. */
  readonly record: R | null;
  readonly failure?: unknown;
  /** The last known and the current values of the watched parts. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
  /** Whether each hash of the record changed; `null` if that is not known. */
  readonly changed: readonly boolean[] | null;
}

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

export interface Emitted<T> {
  readonly event: EventName;
  readonly id: string;
  readonly item: T;
}

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
  readonly emitted: Emitted<T>[];
}

/** A page, and how many records were requested. */
export interface Page<R> {
  readonly page: RecordVersion<R>[];
  readonly limit: number;
}

/**
 * Reads a page with as many records as arrive in time. The first one is always asked for.
 * @throws the failure of the list; a time-out only if a shorter page is not worth a try.
 */
export async function readPage<R>(
  { source, budget, memory }: Pick<ReadContext<R>, 'source' | 'budget' | 'memory'>,
  asked: Omit<PageRequest, 'limit' | 'withinMs'>,
  most?: number,
): Promise<Page<R>> {
  const size = asked.whole === true ? memory.whole : memory.versions;
  for (;;) {
    const slice = size.next(budget, most);
    const [left, waited] = [budget.left(), source.waitedMs()];
    const outcome = await settle(async () => await source.list({ ...asked, ...slice }));
    const costMs = Math.max(0, left - budget.left() - (source.waitedMs() - waited));
    if ('value' in outcome) {
      size.arrived(slice.limit, costMs, costMs < left / 2);
      return { page: outcome.value, limit: slice.limit };
    }
    // If it waited for its turn most of the time, its duration says nothing about its length.
    const isTooLong = source.troubleOf(outcome.error) === 'late' && costMs >= slice.withinMs / 2;
    if (!isTooLong || !size.wasLate(slice.limit, slice.withinMs, budget)) throw outcome.error;
  }
}
