import { settle } from '../../util/concurrently';
import type { Candidate } from './compare';
import { type ReadContext, readPage, type RecordVersion, type WholeRecord } from './context';
import { eachInTime, type Budget } from './time';

/** With at least this many records on one page, the page is read instead of a list of their IDs. */
const DENSE_PAGE = 200;
/** With at least this many, a page is cheaper than single reads. */
const WORTH_A_PAGE = 20;
/** Fewer are read one by one. */
export const WORTH_A_LIST = 5;
/** How many IDs go into one filter: few enough for any limit on the length of a condition. */
export const IDS_PER_REQUEST = 100;
/** How many records that cannot be read singly are looked up at their places, and how many around them are read. */
const MAX_LOOKS = 10;
const AROUND = 5;

/**
 * Reads candidates whole with as few requests as possible: by one list of their IDs where the service can, else by
 * pages that hold several of them, else one by one; and what cannot be read so, from the list. If a list fails, the
 * next way is tried. Never throws: what was read before a failure is returned.
 */
export async function readWhole<R>(
  candidates: readonly Candidate<R>[],
  budget: Budget,
  context: ReadContext<R>,
): Promise<Reading<R>> {
  const reading = new Reading(candidates, budget, context);
  const ways = [
    async () => await reading.densePages(DENSE_PAGE),
    async () => await reading.byIds(),
    async () => await reading.densePages(WORTH_A_PAGE),
    async () => await reading.singly(),
    async () => await reading.fromList(),
  ];
  for (const way of ways) {
    const outcome = await settle(way);
    if ('error' in outcome && context.source.troubleOf(outcome.error) === 'service')
      reading.failure ??= outcome.error;
    if (reading.failure !== undefined) break;
  }
  return reading;
}

/** What became of reading whole records. There was no time for those that are in none of these. */
class Reading<R> {
  readonly records = new Map<string, WholeRecord<R>>();
  /** IDs that the service refuses: the records were deleted, or hidden, since the list was read. */
  readonly refused = new Set<string>();
  /** Why single records could not be read. */
  readonly failed = new Map<string, unknown>();
  /** The failure that ended the reading early, because it concerns all records. */
  failure: unknown;
  private readonly open: Map<string, Candidate<R>>;

  constructor(
    candidates: readonly Candidate<R>[],
    private readonly budget: Budget,
    private readonly context: ReadContext<R>,
  ) {
    this.open = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  }

  /** The pages of the scan that contain at least `least` of the records. */
  async densePages(least: number): Promise<void> {
    const openOn = (page: number): number =>
      [...this.open.values()].filter(({ offset }) => offset === page).length;
    const pages = new Set([...this.open.values()].map(({ offset }) => offset));
    for (const first of pages) {
      if (first === null || openOn(first) < least) continue;
      for (let offset = first; openOn(first) > 0 && this.budget.left() > 0;) {
        const { page, limit } = await readPage(this.context, { order: 'id', whole: true, offset });
        if (this.take(page) === 0 || page.length < limit) break;
        offset += limit;
      }
    }
  }

  async byIds(): Promise<void> {
    const ids = [...this.open.keys()];
    for (let start = 0; start < ids.length && this.open.size >= WORTH_A_LIST; start += IDS_PER_REQUEST) {
      const some = ids.slice(start, start + IDS_PER_REQUEST);
      if (this.budget.left() <= 0 || this.take(await this.context.source.byIds(some, true)) === 0) return;
    }
  }

  /** @throws the first failure that concerns all records. */
  async singly(): Promise<void> {
    const { source } = this.context;
    let answers: ReturnType<typeof settle<boolean>> | undefined;
    await eachInTime([...this.open.keys()], this.budget, async (id) => {
      const read = await settle(async () => await source.read(id));
      if ('value' in read) {
        if (read.value === null) this.refused.add(id);
        else this.records.set(id, read.value);
        return;
      }
      if (source.troubleOf(read.error) === 'service') throw read.error;
      this.failed.set(id, read.error);
      // Is it this record, or the service? Otherwise each of thousands would be tried, again and again.
      answers ??= settle(async () => await source.answersWell());
      const answer = await answers;
      if ('error' in answer) throw (this.failure = answer.error);
    });
  }

  /** What was refused or failed: at its place in the list. */
  async fromList(): Promise<void> {
    const { source, state } = this.context;
    for (const id of [...this.refused, ...this.failed.keys()].slice(0, MAX_LOOKS)) {
      if (this.budget.left() <= 0) return;
      const offset = Math.max(0, state.records.countUpTo(id) - AROUND);
      const slice = { offset, limit: 2 * AROUND, withinMs: Math.max(1, this.budget.left() / 2) };
      // This is only a second chance. If it fails, nothing changes for the record.
      const listed = await settle(async () => await source.list({ ...slice, order: 'id', whole: true }));
      const found = 'value' in listed ? listed.value.find((version) => version.id === id) : undefined;
      if (found === undefined || !isWhole(found)) continue;
      this.records.set(id, found);
      this.refused.delete(id);
      this.failed.delete(id);
    }
  }

  /** Keeps the records that are wanted, and returns their number. */
  private take(listed: readonly RecordVersion<R>[]): number {
    const wanted = listed.filter(isWhole).filter(({ id }) => this.open.delete(id));
    for (const version of wanted) this.records.set(version.id, version);
    return wanted.length;
  }
}

export function isWhole<R>(version: RecordVersion<R>): version is WholeRecord<R> {
  return version.record !== undefined;
}
