import { settle } from '../../util/concurrently';
import type { PageSize } from './pageSize';
import type { RecordSource } from './recordSource';
import type { Budget } from './settings';

/** Milliseconds of which so many went by while a call waited for its turn, or for another call, say nothing of its page. */
const LEAST_SHARE = 0.5;

/**
 * Measures what a call costs from now on: the time that it takes, without that in which it waits for its turn at the
 * service.
 */
export function meter(budget: Budget, source: Pick<RecordSource<unknown>, 'waitedMs'>): () => number {
  const left = budget.left();
  const waited = source.waitedMs();
  return () => Math.max(0, left - budget.left() - (source.waitedMs() - waited));
}

/** Whether a page that came too late was too long, rather than kept from its turn. */
export function wasTooLong(costMs: number, withinMs: number): boolean {
  return costMs >= withinMs * LEAST_SHARE;
}

/**
 * Reads a page with as many records as come in time.
 * @param ask sends the request for so many records.
 * @returns also how many were asked for.
 * @throws what `ask` throws: a time-out only where no smaller page is worth a try.
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
