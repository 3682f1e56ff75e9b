import { settle } from '../../util/concurrently';
import type { TriggerState } from '../state/triggerState';
import type {
  Budget,
  Deliver,
  Emitted,
  PageRequest,
  PollSettings,
  RecordSource,
  RecordVersion,
  Warn,
} from './contract';
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
