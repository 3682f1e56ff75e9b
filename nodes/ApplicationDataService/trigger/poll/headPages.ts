import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { compareIds } from '../state/idOrder';
import type { ReadContext } from './context';
import { readPage } from './pageSize';
import type { HeadPage } from './headPage';
import type { Head, RecordSource } from './recordSource';
import type { Budget } from './settings';
import { unorderedHeads } from './unorderedHeads';

/** Records next to each other that the service may fail to list without being in trouble itself. */
const MOST_TOGETHER = 3;

/** Pages on their way while one is worked on: the service prepares one while another is parsed. */
const PAGES_AHEAD = 2;

interface Ahead {
  readonly offset: number;
  readonly limit: number;
  readonly withinMs: number;
  readonly heads: Promise<Head[]>;
}

/**
 * Reads the heads after an id, page by page. Records move to the front when others are deleted, so pages overlap: one that
 * begins behind what is known is not taken, but one before it. A page that fails by itself is halved, down to the record
 * that the service cannot list, which is left out.
 */
export class HeadPages {
  private ahead: Ahead[] = [];
  private offset: number;
  /** Where a record was left out: pages do not begin before it again. */
  private floor = 0;
  private isolating: number | null = null;
  /** Where the last page ended, if the next one cannot overlap it because it has but one record. */
  private joined = -1;

  constructor(
    private after: string | null,
    private readonly budget: Budget,
    private readonly context: ReadContext,
    /** Whether a short page may not be the last one. */
    private readonly expectsMore: (after: string) => boolean,
  ) {
    const { state, memory } = context;
    const overlap = this.overlap(memory.heads.next(context.budget).limit);
    this.offset = Math.max(0, state.records.countUpTo(after) - overlap - memory.behind);
  }

  async *read(): AsyncGenerator<HeadPage> {
    const { memory, state } = this.context;
    const { budget } = this.context;
    // One that brings something is always read, so that no poll is without.
    let hasBrought = false;
    while (hasBrought ? memory.heads.fits(this.budget.left()) : budget.left() > 0) {
      const came = state.isOrdered ? await this.page() : { page: [], limit: 0 };
      if (came === null) continue;
      const { page, limit } = came;
      state.isOrdered = state.isOrdered && isAscending(page);
      if (!state.isOrdered) {
        yield await unorderedHeads(this.after, this.context);
        return;
      }
      const next = this.take(page, limit);
      if (next === null) continue;
      hasBrought = true;
      if (next.end !== null) this.askAhead(limit);
      yield next;
      if (next.end === null) return;
    }
  }

  /** A page with what it adds; `null` where it begins behind what is known, or may not be the end. */
  private take(page: readonly Head[], limit: number): HeadPage | null {
    const { offset, after, floor } = this;
    const first = page[0];
    if (offset > floor && offset !== this.joined && isBeyond(first, after)) {
      this.stepBack(page.length === 0, limit);
      return null;
    }
    const heads = behind(after, page);
    const isEnd = page.length < limit && !this.goesOn(heads);
    this.offset = Math.max(floor, offset + page.length - this.overlap(page.length));
    this.joined = this.offset === offset + page.length ? this.offset : -1;
    if (heads.length === 0 && !isEnd) return null;
    this.after = heads.at(-1)?.id ?? after;
    const gap = floor > 0 && offset === floor ? { from: after, to: first?.id ?? null } : null;
    return { heads, offset, end: isEnd ? null : this.after, gap };
  }

  /** Records by which a page of such a length begins before the end of the one before. */
  private overlap(limit: number): number {
    return Math.min(this.context.settings.overlap, Math.floor(limit / 2));
  }

  /** Whether more may come after a page that is shorter than it was asked for. */
  private goesOn(heads: readonly Head[]): boolean {
    const last = heads.at(-1);
    return last !== undefined && this.expectsMore(last.id);
  }

  /** Behind the end of the list a page back may still be behind it: half the way is gone at once. */
  private stepBack(isBehindEnd: boolean, limit: number): void {
    this.ahead = [];
    const before = this.offset;
    const step = isBehindEnd ? Math.ceil(before / 2) : Math.max(1, Math.floor(limit / 2));
    this.offset = Math.max(this.floor, before - step);
    // The next poll begins there, where this one has no time for it.
    this.context.memory.behind += before - this.offset;
  }

  /** Only as far as records are expected, and as there is time for it. */
  private askAhead(limit: number): void {
    const { state, source, memory } = this.context;
    const step = limit - this.overlap(limit);
    for (let offset = this.offset; this.ahead.length < PAGES_AHEAD; offset += step) {
      if (this.ahead.some((each) => each.offset === offset)) continue;
      const { budget } = this.context;
      if (this.isolating !== null) return;
      if (state.baseline === null && offset > state.records.presentSize) return;
      if (!memory.heads.fits(this.budget.left() / (this.ahead.length + 1))) return;
      const withinMs = Math.max(1, budget.left() / 2);
      const heads = source.heads({ offset, limit, withinMs });
      // A failure is judged when the page is wanted, not before.
      heads.catch(() => undefined);
      this.ahead.push({ offset, limit, withinMs, heads });
    }
  }

  /** The page at the offset; `null` where another one is to be asked for. */
  private async page(): Promise<{ page: Head[]; limit: number } | null> {
    const { memory, source } = this.context;
    const ahead = this.ahead.shift();
    const outcome = await settle(async () =>
      ahead?.offset === this.offset
        ? { page: await ahead.heads, limit: ahead.limit }
        : await readPage(
            memory.heads,
            this.context.budget,
            source,
            async (slice) => await source.heads({ ...slice, offset: this.offset }),
            this.isolating ?? undefined,
          ),
    );
    if ('value' in outcome) {
      const isWide =
        this.isolating === null || this.isolating * 2 > memory.heads.next(this.context.budget).limit;
      this.isolating = isWide ? null : this.isolating! * 2;
      return outcome.value;
    }
    this.ahead = [];
    const { budget } = this.context;
    if (ahead !== undefined && source.isLate(outcome.error))
      if (memory.heads.wasLate(ahead.limit, ahead.withinMs, budget)) return null;
    await this.isolate(outcome.error);
    return null;
  }

  /** @throws the failure where it is not that of a page alone. */
  private async isolate(failure: unknown): Promise<void> {
    const { source, memory, budget, warn } = this.context;
    if (source.concernsAll(failure) || source.isLate(failure)) throw failure;
    const limit = this.isolating ?? memory.heads.next(budget).limit;
    const isKnown = this.isolating !== null;
    if (limit > 1 && (isKnown || (await works(source, this.offset, budget)))) {
      this.isolating = Math.max(1, Math.floor(limit / 2));
      return;
    }
    for (let count = 1; count <= MOST_TOGETHER; count++) {
      if (!(await works(source, this.offset + count, budget))) continue;
      warn(
        `The service fails to list ${counted(count, 'record')} from position ${this.offset + 1} on: left out`,
      );
      this.offset += count;
      this.floor = this.offset;
      this.isolating = null;
      return;
    }
    throw failure;
  }
}

/** Whether a single record can be listed. @throws what concerns the service as a whole. */
async function works(source: RecordSource<unknown>, offset: number, budget: Budget): Promise<boolean> {
  const withinMs = Math.max(1, budget.left() / 2);
  const outcome = await settle(async () => await source.heads({ offset, limit: 1, withinMs }));
  if ('error' in outcome && (source.concernsAll(outcome.error) || source.isLate(outcome.error)))
    throw outcome.error;
  return 'value' in outcome;
}

function behind(after: string | null, page: readonly Head[]): readonly Head[] {
  return after === null ? page : page.filter(({ id }) => compareIds(id, after) > 0);
}

/** Whether a page begins behind what is known: others were deleted before it, and records moved past it. */
function isBeyond(first: Head | undefined, after: string | null): boolean {
  return first === undefined || (after !== null && compareIds(first.id, after) > 0);
}

/** Whether heads come in the order of their ids, each once. */
function isAscending(heads: readonly Head[]): boolean {
  return heads.every(({ id }, index) => index === 0 || compareIds(heads[index - 1]!.id, id) < 0);
}
