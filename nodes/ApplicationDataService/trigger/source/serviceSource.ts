import { codecOf } from '../../parts/codecs';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { isRefusal } from '../../service/http/errors';
import { settle, unless } from '../../util/concurrently';
import { countRecords, readId, readRecord } from '../../service/read/records';
import { listParts, type RawRecord } from '../../service/read/recordList';
import type { ApplicationSession } from '../../service/application/session';
import type { Head, ListedRecord, RecordSource, Slice, WholeRecord } from '../poll/recordSource';
import type { Budget } from '../poll/settings';
import type { Capabilities } from './capabilities';
import type { PollClock } from './pollClock';
import { concernsAll, isLate } from './failures';
import { hasRevision, headReader, withoutRevision, type HeadReader } from './headReader';
import { assertApplicationRuns } from './running';
import { filterForIds, readListedPage, type ListedPage, type PageQuery } from './watchedList';
import { assertListed, idPart, newestPart, scanParts, wholeParts, type Watch } from './watch';
import { Deadline } from './deadline';

/** How many records are tried before the application counts as not answering. Some may just be unreadable. */
const MOST_TRIED = 5;

/** The records of an application that a watch names, over the service. */
export class ServiceSource implements RecordSource<RawRecord> {
  readonly concernsAll = concernsAll;
  readonly isLate = isLate;
  private readonly deadline: Deadline;
  private readonly headOf: HeadReader;
  private readonly id: Part;
  private readonly newestBy: Part | null;
  private readonly wholeKeys: readonly string[];

  /** @throws UserError if something cannot be watched. */
  constructor(
    private readonly app: ApplicationSession,
    private readonly watch: Watch,
    private readonly known: Capabilities,
    clock: PollClock,
    /** Time of the poll. */
    private readonly budget: Budget,
  ) {
    assertListed(watch);
    this.deadline = new Deadline(clock, budget, app.client);
    this.headOf = headReader(watch);
    this.id = idPart(watch);
    this.newestBy = newestPart(watch);
    this.wholeKeys = wholeParts(watch).map((part) => partKey(part, watch.keyMode));
  }

  waitedMs(): number {
    return this.app.client.waitedMs;
  }

  async heads({ withinMs, ...slice }: Slice): Promise<Head[]> {
    return await this.compared(slice, withinMs);
  }

  async headsFrom(id: string, { withinMs, limit }: Omit<Slice, 'offset'>): Promise<Head[] | null> {
    const slice = { offset: 0, limit, filter: filterForIds(this.watch, '>=', id) };
    return await this.unlessRefused(async () => await this.compared(slice, withinMs), false);
  }

  async lastIds(limit: number): Promise<string[]> {
    const query = { parts: scanParts(this.watch), sort: this.id, order: 'desc', offset: 0, limit } as const;
    const { records } = await this.twice(async (withinMs) => await this.list(query, withinMs));
    return records.map((record) => this.headOf(record).id);
  }

  async page(slice: Slice): Promise<ListedRecord<RawRecord>[]> {
    return await this.whole({ ...slice, sort: this.id, order: 'asc' }, slice.withinMs);
  }

  async newest(slice: Slice, whole: boolean): Promise<ListedRecord<RawRecord>[]> {
    const part = this.newestBy;
    if (part === null || this.known.sortsByNewest === false) return [];
    const heads = whole ? undefined : [...scanParts(this.watch), part];
    const listed = await this.unlessRefused(
      async () => await this.whole({ ...slice, sort: part, order: 'desc' }, slice.withinMs, heads),
      // A part that the user named must work; a guessed one need not.
      this.watch.updatedPart !== null || this.known.sortsByNewest === true,
    );
    this.known.sortsByNewest = listed !== null;
    return listed ?? [];
  }

  async byIds(ids: readonly string[]): Promise<ListedRecord<RawRecord>[]> {
    if (this.known.takesIds === false) return [];
    const filter = filterForIds(this.watch, '=', ids.join('\t'));
    const query = { sort: this.id, order: 'asc', offset: 0, limit: ids.length, filter } as const;
    const listed = await this.unlessRefused(
      async () => await this.whole(query, this.deadline.usualMs),
      false,
    );
    const asked = new Set(ids);
    // IDs that are known to exist, and no others. Any other result means that the filter works differently.
    const isProved = listed !== null && listed.length > 0 && listed.every(({ id }) => asked.has(id));
    // If it has found some before, finding none may mean that the records are gone.
    if (this.known.takesIds !== true || (listed !== null && listed.length > 0))
      this.known.takesIds = isProved;
    return isProved ? listed : [];
  }

  async read(id: string): Promise<WholeRecord<RawRecord> | null> {
    const record = await this.unlessRefused(
      async () => await this.inTime(this.deadline.usualMs, async (app) => await readRecord(app, id)),
      false,
    );
    if (record === null) return null;
    return { ...this.head(record), id, record };
  }

  async answersWell(): Promise<boolean> {
    const idKey = partKey(this.id, this.watch.keyMode);
    const query = { parts: [], keyMode: this.watch.keyMode };
    const first = { offset: 0, limit: MOST_TRIED };
    const records = await this.inTime(
      this.deadline.usualMs,
      async (app) => await listParts(app, query, first),
    );
    const ids = records.flatMap((record) => readId(record, idKey) ?? []);
    for (const id of ids) {
      const read = await settle(async () => await this.read(id));
      if ('value' in read ? read.value !== null : concernsAll(read.error)) return 'value' in read;
    }
    if (ids.length > 0) return false;
    return (await this.inTime(this.deadline.usualMs, countRecords)) === 0;
  }

  async assertRunning(): Promise<void> {
    await this.twice(async (withinMs) => await this.inTime(withinMs, assertApplicationRuns));
  }

  private async compared(
    slice: Pick<PageQuery, 'offset' | 'limit' | 'filter'>,
    withinMs: number,
  ): Promise<Head[]> {
    const query = { ...slice, parts: scanParts(this.watch), sort: this.id, order: 'asc' } as const;
    const { records } = await this.list(query, withinMs);
    return records.map((record) => this.head(record));
  }

  private head(record: RawRecord): Head {
    const head = this.headOf(record);
    if (!hasRevision(head)) throw withoutRevision();
    return head;
  }

  private async whole(
    query: Omit<PageQuery, 'parts'>,
    withinMs: number,
    heads?: readonly Part[],
  ): Promise<ListedRecord<RawRecord>[]> {
    const parts = heads ?? wholeParts(this.watch);
    const { records, asAsked } = await this.list({ ...query, parts }, withinMs);
    const isWhole = asAsked ? () => heads === undefined : this.isWhole;
    return records.map((record) => ({
      ...this.head(record),
      record: isWhole(record) ? record : undefined,
      updated: this.updatedOf(record),
    }));
  }

  private readonly isWhole = (record: RawRecord): boolean => this.wholeKeys.every((key) => key in record);

  private updatedOf(record: RawRecord): string {
    const part = this.newestBy;
    const value = part === null ? undefined : record[partKey(part, this.watch.keyMode)];
    const read = part === null || !isObject(value) ? null : codecOf(part).read(value, part);
    return typeof read === 'string' ? read : '';
  }

  private async list(query: PageQuery, withinMs: number): Promise<ListedPage> {
    return await this.inTime(
      withinMs,
      async (app) => await readListedPage(app, this.watch, query, this.known),
    );
  }

  /** Calls that are aborted when their time is over. */
  private async inTime<T>(withinMs: number, work: (app: ApplicationSession) => Promise<T>): Promise<T> {
    return await this.deadline.within(withinMs, async (signal) => await work(this.app.until(signal)));
  }

  /** A call that everything depends on. If it was late, it is repeated with all the time that is left. */
  private async twice<T>(call: (withinMs: number) => Promise<T>): Promise<T> {
    const first = await settle(async () => await call(this.deadline.mostMs));
    if ('value' in first) return first.value;
    if (!isLate(first.error)) throw first.error;
    return await call(this.budget.left());
  }

  /** `null` if the service refuses, unless it must not. */
  private async unlessRefused<T>(call: () => Promise<T>, mustNot: boolean): Promise<T | null> {
    return await unless((error) => !mustNot && isRefusal(error), call);
  }
}
