import { settle } from '../../util/concurrently';
import type { Candidate } from './candidates';
import type { ReadContext } from './context';
import type { ListedRecord, WholeRecord } from './recordSource';

/** Records that are looked for one by one: more that are refused at once were rather deleted. */
const MOST_LOOKS = 10;
/** Records before and after the place where one should be. */
const AROUND = 5;

/** Records that the service refuses to read by themselves, as its lists give them. */
export interface InList<R> {
  readonly records: ReadonlyMap<string, WholeRecord<R>>;
  /** Ids that a list shows, with the whole record or without. */
  readonly shown: ReadonlySet<string>;
}

/** Looks for records in the list: by their ids where the service can do that, else where they should be. */
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
  // Looking is a second chance only: whatever fails leaves the record where it was.
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
