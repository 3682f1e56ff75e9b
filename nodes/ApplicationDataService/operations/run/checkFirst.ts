import type { CheckedOperation, OutputItem } from './types';
import { concurrently, type Flow, type Settled } from '../../util/concurrently';
import type { ItemRun } from './itemRun';

/**
 * Checks all items, then does what they ask for. Where a failure ends the run, nothing is done unless all items passed.
 * Gives what became of each item; `undefined` for those that were not begun.
 */
export async function checkFirst(
  operation: CheckedOperation,
  items: readonly ItemRun[],
  flow: Flow,
): Promise<(Settled<OutputItem[]> | undefined)[]> {
  const checks = await concurrently(
    items.map((item) => async () => await operation.prepare(item)),
    { ...flow, limit: 1 },
  );
  const outcomes = checks.map((check) => (check !== undefined && 'error' in check ? check : undefined));
  if (flow.stopOnError && outcomes.some((outcome) => outcome !== undefined)) return outcomes;

  const ready = checks.flatMap((check, index) =>
    check !== undefined && 'value' in check ? [{ index, act: check.value }] : [],
  );
  const done = await concurrently(
    ready.map(({ act }) => act),
    flow,
  );
  const all: (Settled<OutputItem[]> | undefined)[] = [...outcomes];
  ready.forEach(({ index }, position) => {
    all[index] = done[position];
  });
  return all;
}
