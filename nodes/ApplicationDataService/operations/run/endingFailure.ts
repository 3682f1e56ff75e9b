import { isDoubt, type ServiceError } from '../../service/http/errors';
import { COUNTED_FROM_ZERO } from './itemNumbers';
import type { WriteMemory } from './memory';
import type { Outcome } from './types';

/** The error of an outcome; `undefined` if it did not fail. */
export function errorOf(outcome: Outcome): unknown {
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
}

/** What to report for each item; `undefined` if there is no failure. */
export function failuresOf(memory: WriteMemory, outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome, item) => {
    if (outcome !== undefined && 'value' in outcome) return undefined;
    return memory.failureOf(item, errorOf(outcome));
  });
}

/**
 * The failure that ends a run. A write in doubt comes before all others, because somebody must look at it before running anything
 * again. `null` if nothing failed.
 */
export function endingFailure(failures: readonly unknown[]): { item: number; error: unknown } | null {
  const doubtful = failures.flatMap((failure, item) => (isDoubt(failure) ? [{ item, error: failure }] : []));
  const [first, ...others] = doubtful;
  if (first !== undefined) return { item: first.item, error: withOthers(first.error, others) };
  const item = failures.findIndex((failure) => failure !== undefined);
  return item === -1 ? null : { item, error: failures[item] };
}

function withOthers(doubt: ServiceError, others: readonly { item: number }[]): ServiceError {
  if (others.length === 0) return doubt;
  const items = others.map(({ item }) => String(item)).join(', ');
  return doubt.reworded(
    doubt.message,
    `${doubt.description} The same holds for these items: ${items}. ${COUNTED_FROM_ZERO}`,
  );
}
