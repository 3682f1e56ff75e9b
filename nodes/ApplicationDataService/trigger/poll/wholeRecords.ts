import { concurrently, settle } from '../../util/concurrently';
import type { Candidate } from './candidates';
import type { ReadContext } from './context';
import { readPage } from './readPage';
import type { ListedRecord, WholeRecord } from './recordSource';
import type { Budget } from './settings';

/** With at least this many records on one page, the page is read whole before anything else is tried. */
const DENSE_PAGE = 200;
/** With at least this many, a page is cheaper than single reads. */
const WORTH_A_PAGE = 20;
/** Fewer are read one by one. */
const WORTH_A_LIST = 5;
/** How many IDs go into one filter: few enough for any limit on the length of a condition. */
const IDS_PER_REQUEST = 100;
/** How many single reads run at the same time. They hide the network's latency; more would only wait in the service's queue. */
const READS_AT_ONCE = 4;

/** The results of reading whole records. There was no time for records that are in none of these. */
export interface WholeRecords<R> {
  readonly records: ReadonlyMap<string, WholeRecord<R>>;
  /** IDs that the service refuses: the records were deleted, or hidden, since the list was read. */
  readonly refused: ReadonlySet<string>;
  /** Why single records could not be read. */
  readonly failed: ReadonlyMap<string, unknown>;
  /** The failure that ended the reading early, because it concerns all records. */
  readonly failure?: unknown;
}

/**
 * Reads candidates whole with as few requests as possible: dense pages, the last changed ones, several by their IDs,
 * and the rest one by one. If a list fails, the next way is tried. Never throws: what was read before a failure is returned.
 */
export async function readWhole<R>(
  candidates: readonly Candidate[],
  budget: Budget,
  context: ReadContext<R>,
): Promise<WholeRecords<R>> {
  const reading = new Reading(candidates, budget, context);
  const steps = [
    async () => await reading.densePages(DENSE_PAGE),
    async () => await reading.newest(),
    async () => await reading.byIds(),
    async () => await reading.densePages(WORTH_A_PAGE),
    async () => await reading.singly(),
  ];
  for (const step of steps) {
    const outcome = await settle(step);
    if ('error' in outcome && context.source.concernsAll(outcome.error))
      return { ...reading, failure: outcome.error };
  }
  return reading;
}

class Reading<R> implements WholeRecords<R> {
  readonly records = new Map<string, WholeRecord<R>>();
  readonly refused = new Set<string>();
  readonly failed = new Map<string, unknown>();
  private readonly open: Map<string, Candidate>;

  constructor(
    candidates: readonly Candidate[],
    private readonly budget: Budget,
    private readonly context: ReadContext<R>,
  ) {
    this.open = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  }

  /** The pages of the scan that contain at least `least` of the records. */
  async densePages(least: number): Promise<void> {
    const pages = new Map<number, number>();
    for (const { offset } of this.open.values())
      if (offset !== null) pages.set(offset, (pages.get(offset) ?? 0) + 1);
    const { source } = this.context;
    for (const [first, count] of pages) {
      let left = this.standOn(first);
      for (let offset = first; count >= least && left > 0;) {
        if (!this.mayRead()) return;
        const { page, limit } = await this.readPage(async (slice) => await source.page({ ...slice, offset }));
        this.take(page);
        if (page.length < limit || this.standOn(first) === left) break;
        left = this.standOn(first);
        offset += limit;
      }
    }
  }

  /** New changes are usually the last changed records. Continues as long as that is true. */
  async newest(): Promise<void> {
    const { source } = this.context;
    let offset = 0;
    while (this.open.size >= WORTH_A_LIST && this.mayRead()) {
      const { page, limit } = await this.readPage(
        async (slice) => await source.newest({ ...slice, offset }, true),
        Math.ceil(this.open.size * 1.2) + 20,
      );
      const hits = this.take(page);
      if (hits < WORTH_A_LIST || page.length < limit) return;
      offset += limit;
    }
  }

  async byIds(): Promise<void> {
    const ids = [...this.open.keys()];
    for (let start = 0; start < ids.length && this.open.size >= WORTH_A_LIST; start += IDS_PER_REQUEST) {
      const some = ids.slice(start, start + IDS_PER_REQUEST);
      if (!this.mayRead() || this.take(await this.context.source.byIds(some)) === 0) return;
    }
  }

  /** @throws the first failure that concerns all records. */
  async singly(): Promise<void> {
    const { source } = this.context;
    let isFirst = true;
    const tasks = [...this.open.keys()].map((id) => async () => {
      // One is always tried, so that every poll makes progress.
      if (!isFirst && !this.mayRead()) return;
      isFirst = false;
      const read = await settle(async () => await source.read(id));
      if ('error' in read) {
        if (source.concernsAll(read.error)) throw read.error;
        this.failed.set(id, read.error);
      } else if (read.value === null) this.refused.add(id);
      else this.records.set(id, read.value);
    });
    const outcomes = await concurrently(tasks, { limit: READS_AT_ONCE, stopOnError: true });
    for (const outcome of outcomes) if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  }

  private mayRead(): boolean {
    return this.context.memory.whole.fits(this.budget.left());
  }

  private async readPage(
    ask: (slice: { limit: number; withinMs: number }) => Promise<ListedRecord<R>[]>,
    most?: number,
  ): Promise<{ page: ListedRecord<R>[]; limit: number }> {
    const { memory, source } = this.context;
    return await readPage(memory.whole, this.context.budget, source, ask, most);
  }

  /** The records on the page at an offset that are not read yet. */
  private standOn(offset: number): number {
    return [...this.open.values()].filter((candidate) => candidate.offset === offset).length;
  }

  /** Keeps the records that are wanted, and returns their number. */
  private take(listed: readonly ListedRecord<R>[]): number {
    let hits = 0;
    for (const { record, ...head } of listed) {
      if (record === undefined || !this.open.delete(head.id)) continue;
      this.records.set(head.id, { ...head, record });
      hits++;
    }
    return hits;
  }
}
