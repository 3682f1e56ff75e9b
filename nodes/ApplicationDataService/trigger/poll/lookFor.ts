import { concurrently, settle } from '../../util/concurrently';
import type { RecordSource } from './recordSource';
import type { Budget } from './settings';

const READS_AT_ONCE = 4;

/** The results of reading some missing records one by one, in the order of the requests. */
export interface Look {
  /** How many of them were requested. There was no time for the others. */
  readonly tried: number;
  readonly refused: readonly string[];
  readonly there: readonly string[];
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * Reads records one by one to find out whether they exist.
 * @param budget the time for it; `null` for no limit.
 * @throws failures of the service as a whole.
 */
export async function lookFor<R>(
  ids: readonly string[],
  source: Pick<RecordSource<R>, 'read' | 'concernsAll'>,
  budget: Budget | null,
): Promise<Look> {
  const isThere = new Map<string, boolean>();
  const failed = new Map<string, unknown>();
  const tasks = ids.map((id) => async () => {
    if (budget !== null && budget.left() <= 0) return;
    const read = await settle(async () => await source.read(id));
    if ('value' in read) isThere.set(id, read.value !== null);
    else if (source.concernsAll(read.error)) throw read.error;
    else failed.set(id, read.error);
  });
  const outcomes = await concurrently(tasks, { limit: READS_AT_ONCE, stopOnError: true });
  for (const outcome of outcomes) if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  return {
    tried: isThere.size + failed.size,
    refused: ids.filter((id) => isThere.get(id) === false),
    there: ids.filter((id) => isThere.get(id) === true),
    failed,
  };
}
