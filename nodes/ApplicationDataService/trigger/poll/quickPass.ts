import { compareIds } from '../state/recordId';
import type { QuickMark, TriggerState } from '../state/triggerState';
import { judge, type Candidate } from './candidates';
import { emit } from './emit';
import { MINUTE_IS_OVER_MS, type PartOfPoll, type PollContext } from './fullScan';
import type { ListedRecord, WholeRecord } from './recordSource';
import { readWhole } from './wholeRecords';

/** Records of the first pages: most polls find little. Those after them are as long as a page may be. */
const PAGE_LENGTHS = [100, 1000];
/** Beyond so many pages a full scan of ids and revisions costs less than reading records whole. */
const MOST_PAGES = 6;
const OVERLAP = 20;

/** What a quick pass gave. */
export interface QuickPass<R> extends PartOfPoll<R> {
  /** Nothing newer than what is known was left out. */
  readonly complete: boolean;
  /** The newest date/time in the list; empty where it is empty. */
  readonly newest: string;
}

/**
 * Lists the last changed records until what comes is known. Minutes are coarse, so every record of the boundary's minute
 * is compared by revision, until that minute is surely over and read. Never throws.
 */
export async function quickPass<R>(
  state: TriggerState,
  mark: QuickMark,
  limit: number,
  context: PollContext<R>,
): Promise<QuickPass<R>> {
  const pass = new Pass(state, mark, context);
  try {
    await pass.list();
  } catch (failure) {
    return { changes: [], failure, complete: false, newest: pass.newest };
  }
  return await pass.emit(limit);
}

class Pass<R> {
  newest = '';
  private complete = false;
  private readonly found = new Map<string, ListedRecord<R>>();

  constructor(
    private readonly state: TriggerState,
    private readonly mark: QuickMark,
    private readonly context: PollContext<R>,
  ) {}

  async list(): Promise<void> {
    const { source, budget, settings } = this.context;
    let offset = 0;
    let tail = new Set<string>();
    for (let pages = 0; pages < MOST_PAGES && budget.mayScan(); pages++) {
      const length = Math.min(PAGE_LENGTHS[pages] ?? settings.paging.length, settings.paging.length);
      const page = await source.newest(offset, length);
      // Records moved away from under the page: a full scan misses nothing.
      if (offset > 0 && !page.some(({ id }) => tail.has(id))) return;
      if (offset === 0) this.newest = page[0]?.updated ?? '';
      const news = this.compare(page);
      if (page.length < length || this.isKnownBehind(page.at(-1)?.updated ?? '', news)) {
        this.complete = true;
        return;
      }
      const overlap = Math.min(OVERLAP, Math.floor(length / 2));
      tail = new Set(page.slice(-overlap).map(({ id }) => id));
      offset += length - overlap;
    }
  }

  /** Reads and emits what was found, the oldest change first, and moves the boundary. */
  async emit(limit: number): Promise<QuickPass<R>> {
    const { source, settings, budget } = this.context;
    const ordered = [...this.found.values()].sort(
      (one, other) => compareTexts(one.updated, other.updated) || compareIds(one.id, other.id),
    );
    const chosen = ordered.slice(0, limit);
    const lacking = chosen.filter(({ record }) => record === undefined).map((each) => this.candidate(each));
    const read = await readWhole(lacking, source, settings.paging, budget);
    const records = new Map<string, WholeRecord<R>>(read.records);
    for (const { record, ...head } of chosen)
      if (record !== undefined) records.set(head.id, { ...head, record });
    const { changes, left } = emit(
      chosen.map((each) => this.candidate(each)),
      { records, refused: read.refused },
      this.state.records,
    );
    const waiting = [...left.map(({ head }) => head.id), ...ordered.slice(limit).map(({ id }) => id)];
    if (this.complete) this.moveBoundary(waiting);
    return { changes, failure: read.failure, complete: this.complete, newest: this.newest };
  }

  /** Keeps the new and changed records, and returns their number. */
  private compare(page: readonly ListedRecord<R>[]): number {
    const { records } = this.state;
    let news = 0;
    for (const listed of page) {
      const verdict = judge(listed, records.get(listed.id), false, this.context.settings);
      if (verdict === 'remember') records.set(listed.id, listed);
      if (verdict === 'emit') this.found.set(listed.id, listed);
      else this.found.delete(listed.id);
      if (verdict !== 'nothing') news++;
    }
    return news;
  }

  /** Whether nothing new can come after a page that ends with this value. */
  private isKnownBehind(last: string, news: number): boolean {
    const { boundary, settled } = this.mark;
    if (last === '') return news === 0;
    return settled ? last <= boundary : last < boundary;
  }

  private candidate(listed: ListedRecord<R>): Candidate {
    return { head: listed, known: this.state.records.get(listed.id), offset: 0 };
  }

  /** To the newest value that was met, or to the first record that still waits. */
  private moveBoundary(waiting: readonly string[]): void {
    const values = waiting.map((id) => this.found.get(id)?.updated ?? '');
    const boundary = values.reduce((least, value) => (value < least ? value : least), this.newest);
    const { mark } = this;
    const { now } = this.context;
    if (boundary === mark.boundary) {
      if (waiting.length === 0 && now - mark.since >= MINUTE_IS_OVER_MS)
        this.state.quick = { ...mark, settled: true };
      // A list without dates shows no boundary. A lower date than before is safe: more is compared.
    } else if (boundary !== '' || waiting.length > 0) {
      this.state.quick = { ...mark, boundary, since: now, settled: false };
    }
  }
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
