import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { UserError } from '../../util/userError';
import { compareIds, idNumber } from '../state/ids';
import type { OpenScan } from '../state/triggerState';
import { type Page, type ReadContext, readPage, type RecordVersion } from './context';
import type { Budget } from './time';

/** Pages that are requested while another is processed: the service prepares one while another is parsed. */
const MAX_AHEAD = 2;
/** A service that returns the same page so often, whatever the offset, has no other. */
const MAX_REPEATED = 2;
/** How many adjacent records are left out at most. More are a sign that the service is in trouble. */
const MAX_LEFT_OUT = 100;
/** By how much pages get shorter around a record that cannot be listed, and longer after it. */
const STEP = 8;

/** A part of the list, in order of IDs, that begins where the previous one ended. */
export interface VersionPage<R> {
  readonly versions: readonly RecordVersion<R>[];
  /**
   * Offset of the page; `null` if the list is out of order: then these are all versions after the beginning of the
   * scan.
   */
  readonly offset: number | null;
}

interface Ahead<R> {
  readonly offset: number;
  readonly limit: number;
  readonly page: Promise<RecordVersion<R>[]>;
}

/**
 * Reads the versions after an ID, page by page, by their places in the list. Records move to the front when others are
 * deleted, so pages overlap: one that begins behind what is known is not taken, but one before it. A page that fails by
 * itself is shortened, down to the record that the service cannot list, which is left out.
 */
export class VersionPages<R> {
  /** Whether the last page that was read is the end of the list. */
  isAtEnd = false;
  /** Where the next page begins. */
  offset: number;
  private after: string | null;
  private ahead: Ahead<R>[] = [];
  /** Where a page cannot overlap the previous one: after records that were left out, and after a page of one record. */
  private joint = -1;
  /** Adjacent records that were left out just before the joint. */
  private leftOut = 0;
  /** Pages up to this offset are shorter than usual, because one of them failed, and have this length. */
  private failedUpTo = 0;
  private shortened = Infinity;
  /** Length of the last page if it was shorter than requested, and the length at which the service cuts pages. */
  private short: number | null = null;
  private cut = Infinity;
  private repeated = { first: '', times: 0 };

  /** @param expectsMore whether more may follow a page that is shorter than requested, after it was compared. */
  constructor(
    private readonly scan: OpenScan,
    private readonly budget: Budget,
    private readonly context: ReadContext<R>,
    private readonly expectsMore: () => boolean,
  ) {
    const { state, memory } = context;
    this.after = scan.after;
    const listed = state.records.countUpTo(this.after);
    this.offset =
      memory.place?.after === this.after ? memory.place.offset : Math.max(0, listed - this.overlap(listed));
  }

  async *read(): AsyncGenerator<VersionPage<R>> {
    // One page with records is always read, so that every poll makes progress.
    for (let hasBrought = false; (hasBrought ? this.budget : this.context.budget).left() > 0;) {
      const read = await settle(async () => (await this.pageAhead()) ?? (await this.ask()));
      if ('error' in read) {
        await this.shorten(read.error);
        continue;
      }
      const { page, limit } = read.value;
      if (!isAscending(page)) {
        yield { versions: await unorderedVersions(this.scan.after, this.context), offset: null };
        this.isAtEnd = true;
        return;
      }
      const next = await this.take(page, limit);
      if (next === null) continue;
      const isShort = page.length < limit;
      const bringsNew = next.versions.length > 0;
      if (bringsNew && this.short !== null) this.cut = this.short;
      this.short = isShort ? page.length : null;
      if (!isShort) this.askAhead(limit);
      hasBrought ||= bringsNew;
      yield next;
      this.isAtEnd = isShort && !(bringsNew && this.expectsMore());
      if (this.isAtEnd) return;
    }
  }

  /**
   * What a page adds; `null` if it begins after the known part: records before it were deleted, others moved past it.
   */
  private async take(page: RecordVersion<R>[], limit: number): Promise<VersionPage<R> | null> {
    const { after, offset, joint } = this;
    const { warn } = this.context;
    const moved = await this.movedPast(page[0]);
    if (moved !== null) {
      // Behind the end of the list half the way is gone at once.
      const back = page.length === 0 ? Math.ceil(moved / 2) : Math.max(1, Math.floor(limit / 2));
      this.ahead = [];
      this.joint = -1;
      this.leftOut = 0;
      this.offset = Math.max(0, moved - back);
      return null;
    }
    const known = after === null ? 0 : page.findIndex(({ id }) => compareIds(id, after) > 0);
    const versions = known < 0 ? [] : page.slice(known);
    this.assertNew(versions, page[0]);
    if (this.leftOut > 0)
      warn(
        `The service fails to list ${counted(this.leftOut, 'record')} from position ${offset - this.leftOut + 1} on: left out`,
      );
    const end = offset + page.length;
    this.offset = Math.max(joint, end - this.overlap(page.length));
    if (this.offset === end) this.joint = end;
    this.leftOut = 0;
    this.after = versions.at(-1)?.id ?? after;
    return { versions, offset };
  }

  /** @throws UserError if the service returns the same page at every offset. */
  private assertNew(versions: readonly RecordVersion[], first: RecordVersion | undefined): void {
    const isAgain = versions.length === 0 && first?.id === this.repeated.first;
    this.repeated = { first: first?.id ?? '', times: isAgain ? this.repeated.times + 1 : 0 };
    if (this.repeated.times < MAX_REPEATED) return;
    throw new UserError(
      'The service returns the same page of records again and again',
      'Ask the administrator of the service whether lists take an offset.',
    );
  }

  /** By how many records a page of this length overlaps the previous one. */
  private overlap(length: number): number {
    return Math.min(this.context.settings.overlap, Math.floor(length / 2));
  }

  /** The offset before this page to which a record moved that is not known yet; `null` for none. */
  private async movedPast(first: RecordVersion | undefined): Promise<number | null> {
    const { offset, after } = this;
    if (offset !== this.joint) return offset > 0 && isBeyond(first, after) ? offset : null;
    // Later scans find it; only the first one assumes that records it did not meet did not exist.
    if (this.context.state.baseline === null) return null;
    for (let before = offset - 1; before >= 0; before--) {
      const record = await this.at(before);
      if (record !== null) return isBeyond(record[0], after) ? before : null;
    }
    return null;
  }

  private async ask(): Promise<Page<R>> {
    const { offset } = this;
    const asked = await readPage(this.context, { order: 'id', offset }, Math.min(this.shortened, this.cut));
    if (offset >= this.failedUpTo) this.shortened *= STEP;
    return asked;
  }

  /** Asks for the pages that follow, only as far as records are expected, and as there is time for it. */
  private askAhead(limit: number): void {
    const { state, memory, source, budget } = this.context;
    if (limit !== memory.versions.next(budget, this.cut).limit) return;
    const step = limit - this.overlap(limit);
    while (this.ahead.length < MAX_AHEAD && this.budget.left() > 0) {
      const offset = this.offset + this.ahead.length * step;
      if (state.baseline === null && offset > state.records.presentSize) return;
      const page = source.list({ order: 'id', offset, limit, withinMs: Math.max(1, budget.left() / 2) });
      // A failure is handled when the page is needed, not before.
      page.catch(() => undefined);
      this.ahead.push({ offset, limit, page });
    }
  }

  /** The page that was requested in advance; `null` if it is to be asked for now. */
  private async pageAhead(): Promise<Page<R> | null> {
    const ahead = this.ahead.shift();
    const outcome = ahead?.offset === this.offset ? await settle(async () => await ahead.page) : null;
    if (ahead !== undefined && outcome !== null && 'value' in outcome)
      return { page: outcome.value, limit: ahead.limit };
    this.ahead = [];
    if (outcome !== null && 'error' in outcome && this.context.source.troubleOf(outcome.error) !== 'late')
      throw outcome.error;
    // Most of its time may have been spent on the page before it: that says nothing about its length.
    return null;
  }

  /**
   * After a page that failed, a shorter one is next; a record that fails by itself is left out.
   * @throws the failure if it is not that of a few records.
   */
  private async shorten(failure: unknown): Promise<void> {
    const { source, memory, budget } = this.context;
    if (source.troubleOf(failure) !== 'record') throw failure;
    const { offset } = this;
    const { limit } = memory.versions.next(budget, Math.min(this.shortened, this.cut));
    this.ahead = [];
    if (this.shortened >= memory.versions.next(budget).limit) {
      // A service that fails altogether is not asked for shorter and shorter pages.
      await source.assertRunning();
      if ((await this.at(offset + limit + MAX_LEFT_OUT)) === null) throw failure;
    }
    this.failedUpTo = offset + limit;
    this.shortened = Math.max(1, Math.floor(limit / STEP));
    if (limit > 1) return;
    if (++this.leftOut > MAX_LEFT_OUT) throw failure;
    this.joint = this.offset = offset + 1;
  }

  /** The record at an offset, none after the end; `null` if it cannot be listed. @throws failures of the whole list. */
  private async at(offset: number): Promise<RecordVersion[] | null> {
    const { source, budget } = this.context;
    const withinMs = Math.max(1, budget.left() / 2);
    const outcome = await settle(async () => await source.list({ order: 'id', offset, limit: 1, withinMs }));
    if ('value' in outcome) return outcome.value;
    if (source.troubleOf(outcome.error) !== 'record') throw outcome.error;
    return null;
  }
}

/** Whether versions come in the order of their IDs, each once. */
function isAscending(versions: readonly RecordVersion[]): boolean {
  let before = -1;
  return versions.every(({ id }) => {
    const number = idNumber(id);
    const isNext = number > before;
    before = number;
    return isNext;
  });
}

function isBeyond(first: RecordVersion | undefined, after: string | null): boolean {
  return first === undefined || after === null || compareIds(first.id, after) > 0;
}

/**
 * All versions after an ID, from a service that did not list records in order of their IDs. Then only the whole list,
 * read at once, shows what comes after it. Pages overlap, because records can move between pages in the meantime.
 * @throws the failure that ends it early.
 */
async function unorderedVersions<R>(
  after: string | null,
  context: ReadContext<R>,
): Promise<RecordVersion<R>[]> {
  const { settings, state, warn } = context;
  const all = new Map<string, RecordVersion<R>>();
  for (let offset = 0; ;) {
    const { page } = await readPage(context, { order: 'id', offset });
    if (offset > 0 && !page.some(({ id }) => all.has(id))) {
      offset = Math.floor(offset / 2);
      continue;
    }
    const before = all.size;
    for (const version of page) all.set(version.id, version);
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
