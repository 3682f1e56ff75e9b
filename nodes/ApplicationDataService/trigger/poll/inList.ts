import { settle } from '../../util/concurrently';
import type { Candidate } from './candidates';
import type { ReadContext } from './context';
import type { ListedRecord, WholeRecord } from './recordSource';

/** How many records are looked up one by one. If more are refused at once, they were probably deleted. */
const MOST_LOOKS = 10;
/** How many records before and after the expected position are read. */
const AROUND = 5;

/** Records that the service refuses to read individually, as its lists return them. */
export interface InList<R> {
  readonly records: ReadonlyMap<string, WholeRecord<R>>;
  /** IDs that a list shows, with or without the whole record. */
  readonly shown: ReadonlySet<string>;
}

/** Looks for records in the list: by their IDs if the service can do that, else at their expected positions. */
export async function findInList<R>(
  candidates: readonly Candidate[],
  { source, state, budget }: ReadContext<R>,
): Promise<InList<R>> {
  const records = new Map<string, WholeRecord<R>>();
  const shown = new Set<string>();
  const take = (listed: readonly ListedRecord<R>[]): void => {
    for (const { record, ...head } of listed) {
      if (!candidates.some(({ id }) => id === head.id)) continue;
      shown.add(head.id);
      if (record !== undefined) records.set(head.id, { ...head, record });
    }
  };
  // This is only a second chance. If it fails, nothing changes for the record.
  if (candidates.length > 0)
    await settle(async () => take(await source.byIds(candidates.map(({ id }) => id))));
  for (const { id } of candidates.slice(0, MOST_LOOKS)) {
    if (shown.has(id) || budget.left() <= 0) continue;
    const offset = Math.max(0, state.records.countUpTo(id) - AROUND);
    const withinMs = Math.max(1, budget.left() / 2);
    await settle(async () => take(await source.page({ offset, limit: 2 * AROUND, withinMs })));
  }
  return { records, shown };
}
