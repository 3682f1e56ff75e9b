import { settle } from '../../util/concurrently';
import type { ReadContext } from './context';
import { behind, isAscending, isBeyond, type HeadPage } from './headPage';
import { PagesFromId, type Page } from './pagesFromId';
import { readPage } from './readPage';
import type { Head } from './recordSource';
import type { Budget } from './settings';
import type { ShortPages } from './shortPages';
import { Unlistable } from './unlistable';
import { unorderedHeads } from './unorderedHeads';

const NO_PAGE: Page = { page: [], limit: 0 };

/**
 * Reads the heads after an id, page by page: by the id with which a page begins where that can be checked, else by its place
 * in the list. There records move to the front when others are deleted, so pages overlap: one that begins behind what is
 * known is not taken, but one before it. A page that fails by itself is halved, down to the record that the service cannot
 * list, which is left out.
 */
export class HeadPages {
  private readonly ahead: PagesFromId;
  /** Where the next page begins; the id is that of a record that stands there or before. */
  private offset: number;
  private from: string | null;
  /** Records up to what is known, as they were listed: pages by id do not tell where they stand. */
  private listed: number;
  /** Where a page cannot overlap the previous one: after a page of one record, and after records that were left out. */
  private joint = -1;
  /** Records were left out just before the joint. */
  private hasLeftOut = false;
  private readonly unlistable: Unlistable;
  private readonly short: ShortPages;

  constructor(
    private after: string | null,
    private readonly budget: Budget,
    private readonly context: ReadContext,
    /** Whether a short page may not be the last one. */
    private readonly expectsMore: (after: string) => boolean,
  ) {
    this.ahead = new PagesFromId(budget, context);
    this.unlistable = new Unlistable(context);
    this.short = context.memory.short;
    this.short.begin();
    this.listed = context.state.records.countUpTo(after);
    this.offset = after === null ? 0 : this.begin();
    this.from = after;
  }

  async *read(): AsyncGenerator<HeadPage> {
    const { memory, state } = this.context;
    const { budget } = this.context;
    // One page with records is always read, so that every poll makes progress.
    let hasBrought = false;
    while (hasBrought ? memory.heads.fits(this.budget.left()) : budget.left() > 0) {
      const came = state.isOrdered ? await this.page() : NO_PAGE;
      if (came === null) continue;
      const { page, limit, isById } = came;
      state.isOrdered = state.isOrdered && (isById === true || isAscending(page));
      if (!state.isOrdered) {
        yield await unorderedHeads(this.after, this.context);
        return;
      }
      const next = await this.take(came);
      if (next === null) continue;
      hasBrought = true;
      const { offset, from } = this;
      if (next.end !== null && this.unlistable.length === null)
        this.ahead.ask({ offset, from }, limit, limit - this.overlap(limit));
      yield next;
      if (next.end === null) return;
    }
  }

  /** A page with what it adds; `null` if it begins after the known part, or may not be the end. */
  private async take({ page, limit, isById }: Page): Promise<HeadPage | null> {
    const { offset, after, joint, hasLeftOut } = this;
    const first = page[0];
    const moved = isById !== true && (await this.movedPast(first));
    if (moved !== false) {
      this.stepBack(moved, page.length === 0, limit);
      return null;
    }
    const heads = behind(after, page);
    this.short.came(page.length, limit, heads.length > 0);
    const mayEnd = this.short.mayEnd(page.length, limit) && !this.short.mustProve(page.length);
    const isEnd = mayEnd && !this.goesOn(heads);
    this.goOn(page);
    const gap = offset === joint && hasLeftOut ? { from: after, to: first?.id ?? null } : null;
    this.after = heads.at(-1)?.id ?? after;
    this.listed += heads.length;
    this.keepPlace();
    if (heads.length === 0 && !isEnd) return null;
    return { heads, offset, end: isEnd ? null : this.after, gap };
  }

  /** To the page behind one, which begins with some of its records. */
  private goOn(page: readonly Head[]): void {
    const end = this.offset + page.length;
    this.offset = Math.max(this.joint, end - this.overlap(page.length));
    if (this.offset === end) this.joint = end;
    this.from = this.offset < end ? (page.at(this.offset - end)?.id ?? null) : null;
    this.hasLeftOut = false;
  }

  /** By how many records a page of this length overlaps the previous one. */
  private overlap(limit: number): number {
    return Math.min(this.context.settings.overlap, Math.floor(limit / 2));
  }

  /** Whether more records may follow a page that is shorter than requested. */
  private goesOn(heads: readonly Head[]): boolean {
    const last = heads.at(-1);
    return last !== undefined && this.expectsMore(last.id);
  }

  /**
   * Whether a record moved from the unknown part to before this page. If pages do not overlap, later scans find it; only
   * the first scan assumes that records it did not meet did not exist.
   * @returns its offset.
   */
  private async movedPast(first: Head | undefined): Promise<number | false> {
    if (this.offset !== this.joint) return this.offset > 0 && isBeyond(first, this.after) && this.offset;
    if (this.context.state.baseline === null) return false;
    for (let offset = this.offset - 1; offset >= 0; offset--) {
      const before = await this.unlistable.at(offset);
      if (before !== null) return isBeyond(before[0], this.after) && offset;
    }
    return false;
  }

  /**
   * To before a record that is not known yet: where the list should go on, then by steps. Behind the end of the list half the
   * way is gone at once.
   */
  private stepBack(from: number, isBehindEnd: boolean, limit: number): void {
    this.ahead.drop();
    this.joint = -1;
    this.from = null;
    this.hasLeftOut = false;
    const step = isBehindEnd ? Math.ceil(from / 2) : Math.max(1, Math.floor(limit / 2));
    this.offset = Math.max(0, this.listed < from ? this.listed - this.overlap(limit) : from - step);
    this.keepPlace();
  }

  /** Where the list continues after an ID: where the last poll stopped, or else where the known records end. */
  private begin(): number {
    const { state, memory, budget } = this.context;
    const { place } = memory;
    const offset =
      place === null
        ? this.listed - this.overlap(memory.heads.next(budget).limit)
        : place.offset - state.records.countUpTo(place.after) + this.listed;
    return Math.max(0, offset);
  }

  /** The next poll begins there if this one has no time left. */
  private keepPlace(): void {
    this.context.memory.place = { after: this.after, offset: this.offset };
  }

  /** The page at the offset; `null` if another one must be requested. */
  private async page(): Promise<Page | null> {
    const outcome = await settle(async () => (await this.pageAhead()) ?? (await this.ask()));
    if ('value' in outcome) {
      this.unlistable.came();
      return outcome.value;
    }
    this.ahead.drop();
    const count = await this.unlistable.behind(outcome.error, this.offset);
    if (count === 0) return null;
    this.hasLeftOut = true;
    this.from = null;
    this.joint = this.offset += count;
    return null;
  }

  /** The page that was asked for before, or by its id; `null` if it is to be asked for by its place. */
  private async pageAhead(): Promise<Page | null> {
    const { ahead, offset, from, after } = this;
    const came = await ahead.take(offset, after);
    return came !== null || this.unlistable.length !== null
      ? came
      : await ahead.byId({ offset, from }, after);
  }

  private async ask(): Promise<Page> {
    const { memory, source, budget } = this.context;
    memory.byId.passed();
    return await readPage(
      memory.heads,
      budget,
      source,
      async (slice) => await source.heads({ ...slice, offset: this.offset }),
      this.unlistable.length ?? undefined,
    );
  }
}
