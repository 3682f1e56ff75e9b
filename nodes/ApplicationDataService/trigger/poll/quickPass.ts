import { messageOf } from '../../util/userError';
import { compareIds } from '../state/ids';
import { judge, remembered, type Candidate } from './compare';
import type { Budget, Head, PartOfPoll, WholeRecord } from './contract';
import { readPage, type PollContext } from './memory';
import { give } from './give';
import { WORTH_A_LIST } from './readWhole';
import { PROVE_EVERY } from './scan';

/** Length of the first pages: most polls find little. Later pages are as long as possible. */
const PAGE_LENGTHS = [100, 1000];
/** After this many pages, a full scan of IDs and revisions is cheaper than reading whole records. */
const MOST_PAGES = 6;
const OVERLAP = 20;
/** By how much the service's clock can be set back without hiding changes, in milliseconds; plus a minute, the service's resolution. */
const LOOK_BACK_MS = 61 * 60_000;
/** No clock on earth is further ahead of UTC. A later date is a mistake, and does not show what was changed last. */
const MOST_AHEAD_MS = 15 * 3_600_000;

/** The result of a quick pass. */
interface QuickPass<T> extends PartOfPoll<T> {
  /** No newer record was left out. */
  readonly complete: boolean;
  /** The newest value found. */
  readonly newest: string;
}

/**
 * Lists the last changed records, newest first, until a page contains nothing new and is older than what was known an hour
 * before: minutes are coarse, and clocks are set back. Never throws.
 */
export async function quickPass<R, T>(
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<QuickPass<T>> {
  const { source, warn } = context;
  const pass = new Pass(budget, context);
  try {
    await pass.list();
  } catch (failure) {
    const nothing = { given: [], complete: false, newest: pass.newest };
    if (source.troubleOf(failure) !== 'record') return { ...nothing, failure };
    warn(`The last changed records cannot be listed, so all are compared: ${messageOf(failure)}`);
    return nothing;
  }
  return await pass.give(room);
}

/** The newest plausible value in a list. */
export function newestOf(listed: readonly Head<unknown>[], now: number): string {
  const latest = textOf(now + MOST_AHEAD_MS);
  return listed.find(({ updated = '' }) => updated !== '' && updated <= latest)?.updated ?? '';
}

class Pass<R, T> {
  newest = '';
  private complete = false;
  private readonly found = new Map<string, Head<R>>();

  constructor(
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
  ) {}

  async list(): Promise<void> {
    const { memory, settings, now, state } = this.context;
    const known = lookBack(state.quick?.boundary ?? '');
    const proves = memory.passes.quick++ % PROVE_EVERY === 0;
    let offset = 0;
    // If many were changed recently, their IDs and revisions are read first: one request, as long as nothing is new.
    let whole = memory.recent < PAGE_LENGTHS[0]!;
    let recent = 0;
    let tail = new Set<string>();
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      if (pages > 0 && this.budget.left() <= 0) return;
      const { page, limit } = await this.page(offset, whole, pages);
      // Records moved while the page was read. A full scan misses nothing.
      if (offset > 0 && leavesOut(page, tail)) return;
      this.newest ||= newestOf(page, now);
      const news = this.compare(page);
      // Much is new: the same records are read whole by a list, not one by one.
      if (!whole && news >= WORTH_A_LIST) {
        whole = true;
        continue;
      }
      recent += countRecent(page, this.newest);
      memory.recent = recent;
      const isEnd = page.length < limit && this.mayEnd(page, tail, news, proves);
      if (isEnd || isOlder(page, news, known)) {
        this.complete = isEnd || news === 0;
        return;
      }
      // After a page of known records, the following ones are almost always known, too. Their IDs and revisions are enough.
      whole = news > 0;
      const overlap = Math.min(OVERLAP, settings.overlap, Math.floor(page.length / 2));
      tail = new Set(page.slice(page.length - overlap).map(({ id }) => id));
      offset += page.length - overlap;
    }
  }

  /** A page shorter than requested, which the service may have cut, is the end if it brings nothing, or reaches back far enough. */
  private mayEnd(
    page: readonly Head<R>[],
    tail: ReadonlySet<string>,
    news: number,
    proves: boolean,
  ): boolean {
    if (page.every(({ id }) => tail.has(id))) return true;
    const boundary = this.context.state.quick?.boundary ?? '';
    return news === 0 && !proves && (page.at(-1)?.updated ?? '') < boundary;
  }

  private async page(
    offset: number,
    whole: boolean,
    pages: number,
  ): Promise<{ readonly page: Head<R>[]; readonly limit: number }> {
    const { source, memory, budget } = this.context;
    return await readPage(
      whole ? memory.whole : memory.heads,
      budget,
      source,
      async (slice) => await source.list({ ...slice, order: 'newest', whole, offset }),
      whole ? PAGE_LENGTHS[pages] : Math.ceil(memory.recent * 1.2) + PAGE_LENGTHS[1]!,
    );
  }

  /** Outputs what was found, the oldest change first, and moves the boundary. */
  async give(room: number): Promise<QuickPass<T>> {
    const { state } = this.context;
    const ordered = [...this.found.values()].sort(
      (one, other) => compareTexts(one.updated ?? '', other.updated ?? '') || compareIds(one.id, other.id),
    );
    const had = new Map<string, WholeRecord<R>>();
    for (const { record, ...head } of ordered)
      if (record !== undefined) had.set(head.id, { ...head, record });
    const candidates = ordered.map((head): Candidate => {
      const { id, revision } = head;
      return { id, head, revision, known: state.records.get(id), offset: null, before: null, tries: 0 };
    });
    const { given, left, failure } = await give(candidates, room, this.budget, this.context, had);
    if (this.complete) this.moveBoundary(left);
    return { given, complete: this.complete, newest: this.newest, ...(failure !== undefined && { failure }) };
  }

  /** Keeps the new and changed records, and returns their number. */
  private compare(page: readonly Head<R>[]): number {
    const { state, settings } = this.context;
    const { records } = state;
    let news = 0;
    for (const listed of page) {
      const { id } = listed;
      const known = records.get(id);
      if (listed.isOut === true) {
        records.markAway(id);
        continue;
      }
      const verdict = state.waiting.has(id) ? 'nothing' : judge(listed, known, false, settings, state);
      if (verdict === 'remember') records.set(id, remembered(listed, known, state));
      if (verdict === 'emit') this.found.set(id, listed);
      else this.found.delete(id);
      if (verdict !== 'nothing') news++;
    }
    return news;
  }

  /** To the newest value found, or to the first record that is not output yet. */
  private moveBoundary(left: Candidate | null): void {
    const { state } = this.context;
    const waits = left === null ? undefined : this.found.get(left.id)?.updated;
    const boundary = waits !== undefined && waits < this.newest ? waits : this.newest;
    if (state.quick !== null && (boundary !== '' || left !== null))
      state.quick = { ...state.quick, boundary };
  }
}

/** Records of a page that were changed within the time that a pass looks back from the newest one. */
export function countRecent(page: readonly Head<unknown>[], newest: string): number {
  const since = lookBack(newest);
  return since === '' ? 0 : page.filter(({ updated = '' }) => updated >= since).length;
}

/** Whether a page does not begin with the end of the one before. */
function leavesOut(page: readonly Head<unknown>[], tail: ReadonlySet<string>): boolean {
  return page.length > 0 && !page.some(({ id }) => tail.has(id));
}

/** Whether all records after a page are certainly known, or have no date. */
function isOlder(page: readonly Head<unknown>[], news: number, known: string): boolean {
  const last = page.at(-1)?.updated ?? '';
  return last === '' || (news === 0 && last < known);
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

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
