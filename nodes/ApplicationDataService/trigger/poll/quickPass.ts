import { settle } from '../../util/concurrently';
import { messageOf } from '../../util/userError';
import { compareIds } from '../state/ids';
import { judge, remembered, type Candidate } from './compare';
import { type PollContext, type ReadContext, readPage, type RecordVersion } from './context';
import type { Budget } from './time';
import { emit } from './emit';
import { PROVE_EVERY } from './scan';
import { WORTH_A_LIST } from './readWhole';

/** Length of the first pages of whole records: most polls find little. Other pages are as long as possible. */
const PAGE_LENGTHS = [100, 1000];
/** After this many pages, a full scan of IDs and revisions is cheaper than reading whole records. */
const MAX_PAGES = 6;
const OVERLAP = 20;
/**
 * By how much the service's clock can be set back without hiding changes, in milliseconds; plus a minute, the service's
 * resolution.
 */
const LOOK_BACK_MS = 61 * 60_000;
/** No clock on earth is further ahead of UTC. A later date is a mistake, and does not show what was changed last. */
const MAX_AHEAD_MS = 15 * 3_600_000;

/** The result of a quick pass. */
export interface QuickPass {
  /** No newer record was left out. */
  readonly complete: boolean;
  /** The newest value found. */
  readonly newest: string;
  /** The failure that ended it early; `undefined` if there was none. */
  readonly failure: unknown;
}

/**
 * Lists the last changed records, newest first, until a page contains nothing new and is older than what was known an
 * hour before: minutes are coarse, and clocks are set back. Until the first scan is done, only finds the newest. Never
 * throws.
 */
export async function quickPass<R, T>(
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<QuickPass> {
  const { source, state, warn } = context;
  const pass = new Pass<R>(budget, context);
  const listed = await settle(async () => await pass.list());
  const { complete, newest } = pass;
  if ('error' in listed) {
    if (source.troubleOf(listed.error) !== 'record')
      return { complete: false, newest, failure: listed.error };
    warn(`The last changed records cannot be listed, so all are compared: ${messageOf(listed.error)}`);
    return { complete: false, newest, failure: undefined };
  }
  const { left, failure } = await emit(pass.candidates(), room, budget, context);
  const waits = left?.version?.updated ?? newest;
  // To the newest value found, or to the first record that is not output yet.
  const boundary = waits < newest ? waits : newest;
  if (complete && state.quick !== null && (boundary !== '' || left !== null))
    state.quick = { ...state.quick, boundary };
  return { complete, newest, failure };
}

class Pass<R> {
  newest = '';
  complete = false;
  private readonly found = new Map<string, RecordVersion<R>>();
  private readonly boundary: string;
  /** A page shorter than requested does not count as the last one only because it is old. */
  private readonly proves: boolean;
  /** The end of the last page. */
  private tail = new Set<string>();

  constructor(
    private readonly budget: Budget,
    private readonly context: ReadContext<R>,
  ) {
    this.boundary = context.state.quick?.boundary ?? '';
    this.proves = context.memory.passes.quick++ % PROVE_EVERY === 0;
  }

  async list(): Promise<void> {
    const { state, memory } = this.context;
    if (this.boundary === '' || state.baseline !== null) {
      this.note((await readPage(this.context, { order: 'newest', offset: 0 })).page, true);
      return;
    }
    // If many were changed recently, their IDs and revisions are read first: one request, as long as nothing is new.
    let whole = !memory.isBusy;
    for (let pages = 0, offset = 0; pages < MAX_PAGES && (pages === 0 || this.budget.left() > 0); pages++) {
      const most = whole ? PAGE_LENGTHS[pages] : undefined;
      const { page, limit } = await readPage(this.context, { order: 'newest', whole, offset }, most);
      // Records moved while the page was read. A full scan misses nothing.
      if (offset > 0 && page.length > 0 && !page.some(({ id }) => this.tail.has(id))) return;
      const news = this.compare(page);
      this.note(page, pages === 0);
      // Much is new: the same records are read whole by a list, not one by one.
      if (!whole && news >= WORTH_A_LIST) {
        whole = true;
        continue;
      }
      const isEnd = this.isEnd(page, limit, news);
      if (isEnd || this.isOlder(page, news)) {
        this.complete = isEnd || news === 0;
        return;
      }
      // After a page of known records, the following ones are almost always known, too. Their IDs and revisions are
      // enough.
      whole = news > 0;
      offset += this.step(page);
    }
  }

  /** Notes the newest value, and of the first page whether it will be too short next time. */
  private note(page: readonly RecordVersion<R>[], isFirst: boolean): void {
    const { memory, now } = this.context;
    this.newest ||= newestOf(page, now);
    const last = page[PAGE_LENGTHS[0]! - 1];
    if (isFirst) memory.isBusy = last !== undefined && last.updated >= lookBack(this.newest);
  }

  /**
   * Whether a page shorter than requested, which the service may have cut, brings nothing, or reaches back far enough.
   */
  private isEnd(page: readonly RecordVersion<R>[], limit: number, news: number): boolean {
    if (page.length >= limit) return false;
    if (page.every(({ id }) => this.tail.has(id))) return true;
    return news === 0 && !this.proves && (page.at(-1)?.updated ?? '') < this.boundary;
  }

  /** Whether all records after a page are certainly known, or have no date. */
  private isOlder(page: readonly RecordVersion<R>[], news: number): boolean {
    const last = page.at(-1)?.updated ?? '';
    return last === '' || (news === 0 && last < lookBack(this.boundary));
  }

  /** From a page to the next one, which overlaps it. */
  private step(page: readonly RecordVersion<R>[]): number {
    const overlap = Math.min(OVERLAP, this.context.settings.overlap, Math.floor(page.length / 2));
    const step = page.length - overlap;
    this.tail = new Set(page.slice(step).map(({ id }) => id));
    return step;
  }

  /** Keeps the new and changed records, and returns their number. */
  private compare(page: readonly RecordVersion<R>[]): number {
    const { state, settings } = this.context;
    const { records } = state;
    let news = 0;
    for (const listed of page) {
      const { id } = listed;
      if (listed.isOut === true) {
        records.markFilteredOut(id);
        continue;
      }
      const known = records.get(id);
      const verdict = state.waiting.has(id)
        ? 'nothing'
        : judge(listed, known, false, settings, state.records);
      if (verdict === 'remember') records.set(id, remembered(listed, known));
      if (verdict === 'emit') this.found.set(id, listed);
      else this.found.delete(id);
      if (verdict !== 'nothing') news++;
    }
    return news;
  }

  /** What was found, the oldest change first. */
  candidates(): Candidate<R>[] {
    const { records } = this.context.state;
    return [...this.found.values()]
      .sort((one, other) => compareIds(one.id, other.id))
      .sort((one, other) => Number(one.updated > other.updated) - Number(one.updated < other.updated))
      .map((version) => {
        const { id, revision } = version;
        return { id, version, revision, known: records.get(id), offset: null };
      });
  }
}

/** The newest plausible value in a list. */
function newestOf(listed: readonly RecordVersion[], now: number): string {
  const latest = textOf(now + MAX_AHEAD_MS);
  return listed.find(({ updated }) => updated !== '' && updated <= latest)?.updated ?? '';
}

/** A date/time as the service writes it, in UTC. */
function textOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16);
}

/** The value an hour before another one; empty if it is not a date/time. */
function lookBack(value: string): string {
  const milliseconds = Date.parse(`${value}Z`);
  return Number.isNaN(milliseconds) ? '' : textOf(milliseconds - LOOK_BACK_MS);
}
