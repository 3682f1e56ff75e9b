import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { UserError } from '../../util/userError';
import { compareIds, idNumber } from '../state/ids';
import type { Stretch } from '../state/recordTable';
import type { Budget, Head } from './contract';
import { readPage, type ReadContext } from './memory';

/** Pages that are requested while another is processed: the service prepares one while another is parsed. */
const MOST_AHEAD = 2;
/** A service that returns the same page so often, whatever the offset, has no other. */
const MOST_REPEATED = 2;

/** A part of the list, in order of IDs, that begins where the previous one ended. */
export interface HeadPage {
  readonly heads: readonly Head[];
  /** Offset of the first head in the list; `null` if the list does not show the positions. */
  readonly offset: number | null;
  /** Records within its stretch that it does not show, because the service cannot list them. */
  readonly gap: Stretch | null;
}

interface Page {
  readonly page: Head[];
  readonly limit: number;
}

/** A page that was requested in advance. */
interface Ahead {
  readonly offset: number;
  readonly limit: number;
  readonly heads: Promise<Head[]>;
}

/**
 * Reads the heads after an ID, page by page, by their places in the list. Records move to the front when others are
 * deleted, so pages overlap: one that begins behind what is known is not taken, but one before it. A page that fails by
 * itself is halved, down to the record that the service cannot list, which is left out.
 */
export class HeadPages {
  /** Whether the last page that was read is the end of the list. */
  isAtEnd = false;
  private ahead: Ahead[] = [];
  /** Where the next page begins. */
  private offset: number;
  /** Records up to what is known, as they were listed. */
  private listed: number;
  /** Where a page cannot overlap the previous one: after a page of one record, and after records that were left out. */
  private joint = -1;
  /** Records were left out just before the joint. */
  private hasLeftOut = false;
  private readonly unlistable: Unlistable;
  /** Length of the last page if it was shorter than requested, and of such a page that others followed. */
  private short: number | null = null;
  private cut = Infinity;
  private repeated = { first: '', times: 0 };

  constructor(
    private after: string | null,
    private readonly budget: Budget,
    private readonly context: ReadContext,
    /** Whether more records may follow a page that is shorter than requested, after it was compared. */
    private readonly expectsMore: () => boolean,
  ) {
    this.unlistable = new Unlistable(context);
    this.listed = context.state.records.countUpTo(after);
    this.offset = after === null ? 0 : this.begin();
  }

  async *read(): AsyncGenerator<HeadPage> {
    // One page with records is always read, so that every poll makes progress.
    for (let hasBrought = false; (hasBrought ? this.budget : this.context.budget).left() > 0;) {
      const came = await this.page();
      if (came === null) continue;
      if (!isAscending(came.page)) {
        this.ahead = [];
        yield { heads: await unorderedHeads(this.after, this.context), offset: null, gap: null };
        this.isAtEnd = true;
        return;
      }
      const next = await this.take(came);
      if (next === null) continue;
      const isShort = came.page.length < came.limit;
      if (!isShort) this.askAhead(came.limit);
      hasBrought ||= next.heads.length > 0;
      if (next.heads.length > 0 && this.short !== null) this.cut = this.short;
      this.short = isShort ? came.page.length : null;
      yield next;
      const hasMore = next.heads.length > 0 && (this.isCut(came.page.length) || this.expectsMore());
      this.isAtEnd = isShort && !hasMore;
      if (this.isAtEnd) return;
    }
  }

  /** Whether a page is as long as one of this scan that was shorter than requested, and not the last one. */
  private isCut(length: number): boolean {
    return length >= this.cut;
  }

  /** What a page adds; `null` if it begins after the known part: records before it were deleted, others moved past it. */
  private async take({ page, limit }: Page): Promise<HeadPage | null> {
    const { offset, after, joint, hasLeftOut } = this;
    const first = page[0];
    const moved = await this.movedPast(first);
    if (moved !== null) {
      this.stepBack(moved, page.length === 0, limit);
      return null;
    }
    const heads = behind(after, page);
    this.assertNew(heads, first);
    const gap = offset === joint && hasLeftOut ? { from: after, to: first?.id ?? null } : null;
    const end = offset + page.length;
    this.offset = Math.max(joint, end - this.overlap(page.length));
    if (this.offset === end) this.joint = end;
    this.hasLeftOut = false;
    this.after = heads.at(-1)?.id ?? after;
    this.listed += heads.length;
    this.keepPlace();
    return { heads, offset, gap };
  }

  /** @throws UserError if the service returns the same page at every offset. */
  private assertNew(heads: readonly Head[], first: Head | undefined): void {
    const isAgain = heads.length === 0 && first?.id === this.repeated.first;
    this.repeated = { first: first?.id ?? '', times: isAgain ? this.repeated.times + 1 : 0 };
    if (this.repeated.times < MOST_REPEATED) return;
    throw new UserError(
      'The service returns the same page of records again and again',
      'Ask the administrator of the service whether lists take an offset.',
    );
  }

  /** By how many records a page of this length overlaps the previous one. */
  private overlap(limit: number): number {
    return Math.min(this.context.settings.overlap, Math.floor(limit / 2));
  }

  /**
   * The offset from which a record moved out of the unknown part to before this page; `null` for none. If pages do not
   * overlap, later scans find it; only the first scan assumes that records it did not meet did not exist.
   */
  private async movedPast(first: Head | undefined): Promise<number | null> {
    const { offset, after } = this;
    if (offset !== this.joint) return offset > 0 && isBeyond(first, after) ? offset : null;
    if (this.context.state.baseline === null) return null;
    for (let before = offset - 1; before >= 0; before--) {
      const record = await this.unlistable.at(before);
      if (record !== null) return isBeyond(record[0], after) ? before : null;
    }
    return null;
  }

  /**
   * To before a record that is not known yet: where the list should go on, then by steps. Behind the end of the list half the
   * way is gone at once.
   */
  private stepBack(from: number, isBehindEnd: boolean, limit: number): void {
    this.ahead = [];
    this.joint = -1;
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
    this.ahead = [];
    const count = await this.unlistable.behind(outcome.error, this.offset);
    if (count === 0) return null;
    this.hasLeftOut = true;
    this.joint = this.offset += count;
    return null;
  }

  private async ask(): Promise<Page> {
    const { memory, source, budget } = this.context;
    const { offset } = this;
    return await readPage(
      memory.heads,
      budget,
      source,
      async (slice) => await source.list({ ...slice, order: 'id', offset }),
      this.unlistable.length ?? undefined,
    );
  }

  /** Asks for the pages that follow, only as far as records are expected, and as there is time for it. */
  private askAhead(limit: number): void {
    const { state, memory, source, budget } = this.context;
    if (this.unlistable.length !== null || memory.heads.next(budget).limit !== limit) return;
    const step = limit - this.overlap(limit);
    while (this.ahead.length < MOST_AHEAD && this.budget.left() > 0) {
      const offset = this.offset + this.ahead.length * step;
      if (state.baseline === null && offset > state.records.presentSize) return;
      const heads = source.list({ order: 'id', offset, limit, withinMs: Math.max(1, budget.left() / 2) });
      // A failure is handled when the page is needed, not before.
      heads.catch(() => undefined);
      this.ahead.push({ offset, limit, heads });
    }
  }

  /** The page that was requested in advance; `null` if it is to be asked for now. */
  private async pageAhead(): Promise<Page | null> {
    const ahead = this.ahead.shift();
    if (ahead?.offset !== this.offset) {
      this.ahead = [];
      return null;
    }
    const outcome = await settle(async () => await ahead.heads);
    if ('value' in outcome) {
      return { page: outcome.value, limit: ahead.limit };
    }
    this.ahead = [];
    if (this.context.source.troubleOf(outcome.error) !== 'late') throw outcome.error;
    // Most of its time may have been spent on the page before it: that says nothing about its length.
    return null;
  }
}

/** Whether heads come in the order of their IDs, each once. */
function isAscending(heads: readonly Head[]): boolean {
  let before = -1;
  return heads.every(({ id }) => {
    const number = idNumber(id);
    const isNext = number > before;
    before = number;
    return isNext;
  });
}

/** What of a page in order comes after an ID. */
function behind(after: string | null, page: readonly Head[]): readonly Head[] {
  const first = after === null ? 0 : page.findIndex(({ id }) => compareIds(id, after) > 0);
  return first < 0 ? [] : page.slice(first);
}

function isBeyond(first: Head | undefined, after: string | null): boolean {
  return first === undefined || after === null || compareIds(first.id, after) > 0;
}

/**
 * All heads after an ID, from a service that did not list records in order of their IDs. Then only the whole list, read
 * at once, shows what comes after it. Pages overlap, because records can move between pages in the meantime.
 * @throws the failure that ends it early.
 */
async function unorderedHeads(
  after: string | null,
  { source, memory, settings, state, budget, warn }: ReadContext,
): Promise<Head[]> {
  const all = new Map<string, Head>();
  for (let offset = 0; ;) {
    const { page, limit } = await readPage(
      memory.heads,
      budget,
      source,
      async (slice) => await source.list({ ...slice, order: 'id', offset }),
    );
    if (offset > 0 && !page.some(({ id }) => all.has(id))) {
      offset = page.length === 0 ? Math.floor(offset / 2) : Math.max(0, offset - Math.floor(limit / 2));
      continue;
    }
    const before = all.size;
    for (const head of page) all.set(head.id, head);
    // A page that brings nothing is the proof of the end.
    if (all.size === before) break;
    offset += Math.max(1, page.length - Math.min(settings.overlap, Math.floor(page.length / 2)));
  }
  const { baseline } = state;
  if (baseline !== null && !baseline.emitExisting && baseline.highestId !== null) {
    state.baseline = { ...baseline, highestId: null };
    warn(
      'Record IDs are not in ascending order: records created during the first scan cannot be distinguished from older ones',
    );
  }
  return [...all.values()]
    .filter(({ id }) => after === null || compareIds(id, after) > 0)
    .sort((one, other) => compareIds(one.id, other.id));
}

/** After this many adjacent records that fail, the node checks whether the list works anywhere after them. */
const FEW = 3;
/** How many adjacent records are left out at most. More are a sign that the service is in trouble. */
const MOST_LEFT_OUT = 100;

/**
 * Finds the records that make a page fail because the service cannot list them: a page that fails is halved, down to one
 * record, and grows again after it.
 */
class Unlistable {
  /** Length of the next page; `null` if no page failed recently. */
  length: number | null = null;

  constructor(private readonly context: ReadContext) {}

  /** A page came. */
  came(): void {
    const { memory, budget } = this.context;
    if (this.length === null) return;
    this.length *= 2;
    if (this.length > memory.heads.next(budget).limit) this.length = null;
  }

  /**
   * A page from an offset on failed.
   * @returns how many records to leave out there; 0 to request a shorter page instead.
   * @throws the failure if it is not that of a few records.
   */
  async behind(failure: unknown, offset: number): Promise<number> {
    const { source, memory, budget, warn } = this.context;
    if (source.troubleOf(failure) !== 'record') throw failure;
    const limit = this.length ?? memory.heads.next(budget).limit;
    const isNew = this.length === null;
    // A service that fails altogether is not asked for shorter and shorter pages.
    if (isNew) await source.assertRunning();
    if (limit > 1 && (!isNew || (await this.at(offset)) !== null)) {
      this.length = Math.max(1, Math.floor(limit / 2));
      return 0;
    }
    this.length = 1;
    for (let count = 1; count < MOST_LEFT_OUT; count++) {
      if ((await this.at(offset + count)) !== null) {
        warn(
          `The service fails to list ${counted(count, 'record')} from position ${offset + 1} on: left out`,
        );
        return count;
      }
      if (count === FEW && !(await this.worksBehind(offset + count))) break;
    }
    throw failure;
  }

  /** The record at an offset, none after the end; `null` if it cannot be listed. @throws failures of the whole list. */
  async at(offset: number): Promise<Head[] | null> {
    const { source, budget } = this.context;
    const withinMs = Math.max(1, budget.left() / 2);
    const outcome = await settle(async () => await source.list({ order: 'id', offset, limit: 1, withinMs }));
    if ('value' in outcome) return outcome.value;
    const { error } = outcome;
    if (source.troubleOf(error) !== 'record') throw error;
    return null;
  }

  /** Whether any later record can be listed. Otherwise the list as a whole fails. */
  private async worksBehind(offset: number): Promise<boolean> {
    for (let step = 2; step <= MOST_LEFT_OUT; step *= 2)
      if ((await this.at(offset + step)) !== null) return true;
    return false;
  }
}
