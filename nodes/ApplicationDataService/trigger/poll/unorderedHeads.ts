import { compareIds } from '../state/idOrder';
import type { ReadContext } from './context';
import type { HeadPage } from './headPage';
import { readPage } from './readPage';
import type { Head } from './recordSource';

/**
 * All heads after an ID, from a service that does not list records in order of their IDs. Then only the whole list, read
 * at once, shows what comes after it. Pages overlap, because records can move between pages in the meantime.
 * @throws the failure that ends it early.
 */
export async function unorderedHeads(
  after: string | null,
  { source, memory, settings, state, budget, warn }: ReadContext,
): Promise<HeadPage> {
  const all = new Map<string, Head>();
  for (let offset = 0; ;) {
    const { page, limit } = await readPage(
      memory.heads,
      budget,
      source,
      async (slice) => await source.heads({ ...slice, offset }),
    );
    if (offset > 0 && !page.some(({ id }) => all.has(id))) {
      offset = page.length === 0 ? Math.floor(offset / 2) : Math.max(0, offset - Math.floor(limit / 2));
      continue;
    }
    for (const head of page) all.set(head.id, head);
    if (page.length < limit) break;
    offset += limit - Math.min(settings.overlap, Math.floor(limit / 2));
  }
  const { baseline } = state;
  if (baseline !== null && !baseline.emitExisting && baseline.highestId !== null) {
    state.baseline = { ...baseline, highestId: null };
    warn(
      'Record IDs are not in ascending order: records created during the first scan cannot be distinguished from older ones',
    );
  }
  const heads = [...all.values()]
    .filter(({ id }) => after === null || compareIds(id, after) > 0)
    .sort((one, other) => compareIds(one.id, other.id));
  return { heads, offset: null, end: null, gap: null };
}
