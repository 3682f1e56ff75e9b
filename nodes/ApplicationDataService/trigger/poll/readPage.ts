import { settle } from '../../util/concurrently';
import type { PageSize } from './pageSize';
import type { RecordSource } from './recordSource';
import type { Budget } from './settings';

/** If a call waited this long for its turn, or for another call, its duration says nothing about its page. */
const LEAST_SHARE = 0.5;

/**
 * Measures what a call costs from now on: its duration without the time in which it waits for its turn at the
 * service.
 */
export function meter(budget: Budget, source: Pick<RecordSource<unknown>, 'waitedMs'>): () => number {
  const left = budget.left();
  const waited = source.waitedMs();
  return () => Math.max(0, left - budget.left() - (source.waitedMs() - waited));
}

/** Whether a late page was too long, rather than waiting for its turn. */
export function wasTooLong(costMs: number, withinMs: number): boolean {
  return costMs >= withinMs * LEAST_SHARE;
}

/**
 * Reads a page with as many records as arrive in time.
 * @param ask requests this many records.
 * @returns also how many were requested.
 * @throws the failure of `ask`; a time-out only if a smaller page is not worth a try.
 */
export async function readPage<T>(
  size: PageSize,
  budget: Budget,
  source: Pick<RecordSource<unknown>, 'isLate' | 'waitedMs'>,
  ask: (slice: { readonly limit: number; readonly withinMs: number }) => Promise<T[]>,
  most?: number,
): Promise<{ readonly page: T[]; readonly limit: number }> {
  for (;;) {
    const slice = size.next(budget, most);
    const begin = budget.left();
    const cost = meter(budget, source);
    const outcome = await settle(async () => await ask(slice));
    if ('value' in outcome) {
      size.took(slice.limit, cost(), begin);
      return { page: outcome.value, limit: slice.limit };
    }
    const isTooLong = source.isLate(outcome.error) && wasTooLong(cost(), slice.withinMs);
    if (!isTooLong || !size.wasLate(slice.limit, slice.withinMs, budget)) throw outcome.error;
  }
}
