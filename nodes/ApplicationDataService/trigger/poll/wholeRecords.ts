import { concurrently } from '../../util/concurrently';
import type { Candidate } from './candidates';
import type { Budget, Paging } from './settings';
import type { ListedRecord, RecordSource, WholeRecord } from './recordSource';

/** From so many records of one page on, the page is read whole before anything else is tried. */
const DENSE_PAGE = 200;
/** From so many on, a page costs less than single reads. */
const WORTH_A_PAGE = 20;
/** Fewer are read one by one. */
const WORTH_A_LIST = 5;
/** Ids in one filter: few enough for any limit on a condition's length. */
const IDS_PER_REQUEST = 100;
/** Single reads under way: they hide the way to the service, more would only wait in its queue. */
const READS_AT_ONCE = 4;

/** What came of reading records whole. */
export interface WholeRecords<R> {
  readonly records: ReadonlyMap<string, WholeRecord<R>>;
  /** Ids that the service refuses: deleted, or withdrawn, since the list was read. */
  readonly refused: ReadonlySet<string>;
  /** What ended the reading early. */
  readonly failure?: unknown;
}

/**
 * Reads candidates whole with as few requests as they allow: dense pages, the last changed ones, several by their ids,
 * and what is left one by one. Never throws: what was read before a failure is given.
 */
export async function readWhole<R>(
  candidates: readonly Candidate[],
  source: RecordSource<R>,
  paging: Paging,
  budget: Budget,
): Promise<WholeRecords<R>> {
  const reading = new Reading(candidates, source, budget);
  try {
    await reading.densePages(DENSE_PAGE, paging.length);
    await reading.newest(paging.length);
    await reading.byIds();
    await reading.densePages(WORTH_A_PAGE, paging.length);
    await reading.singly();
  } catch (failure) {
    return { ...reading, failure };
  }
  return reading;
}

class Reading<R> implements WholeRecords<R> {
  readonly records = new Map<string, WholeRecord<R>>();
  readonly refused = new Set<string>();
  private readonly open: Map<string, Candidate>;

  constructor(
    candidates: readonly Candidate[],
    private readonly source: RecordSource<R>,
    private readonly budget: Budget,
  ) {
    this.open = new Map(candidates.map((candidate) => [candidate.head.id, candidate]));
  }

  /** The pages of the scan on which at least `least` of the records stand. */
  async densePages(least: number, length: number): Promise<void> {
    const counts = new Map<number, number>();
    for (const { offset } of this.open.values()) counts.set(offset, (counts.get(offset) ?? 0) + 1);
    for (const [offset, count] of counts) {
      if (count < least || !this.budget.mayRead()) continue;
      this.take(await this.source.page(offset, length));
    }
  }

  /** What changed is what was changed last, usually. Goes on as long as that proves right. */
  async newest(length: number): Promise<void> {
    let offset = 0;
    while (this.open.size >= WORTH_A_LIST && this.budget.mayRead()) {
      const limit = Math.min(length, Math.ceil(this.open.size * 1.2) + 20);
      const page = await this.source.newest(offset, limit);
      const hits = this.take(page);
      if (hits < WORTH_A_LIST || page.length < limit) return;
      offset += limit;
    }
  }

  async byIds(): Promise<void> {
    const ids = [...this.open.keys()];
    for (let start = 0; start < ids.length && this.open.size >= WORTH_A_LIST; start += IDS_PER_REQUEST) {
      const some = ids.slice(start, start + IDS_PER_REQUEST);
      if (!this.budget.mayRead() || this.take(await this.source.byIds(some)) === 0) return;
    }
  }

  /** @throws the first failure. */
  async singly(): Promise<void> {
    const tasks = [...this.open.keys()].map((id) => async () => {
      if (!this.budget.mayRead()) return;
      const record = await this.source.read(id);
      if (record === null) this.refused.add(id);
      else this.records.set(id, record);
    });
    const outcomes = await concurrently(tasks, { limit: READS_AT_ONCE, stopOnError: true });
    for (const outcome of outcomes) if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  }

  /** Keeps the records that are wanted, and returns their number. */
  private take(listed: readonly ListedRecord<R>[]): number {
    let hits = 0;
    for (const { id, revision, hash, record } of listed) {
      if (record === undefined || !this.open.delete(id)) continue;
      this.records.set(id, { id, revision, hash, record });
      hits++;
    }
    return hits;
  }
}
