import { codecOf } from '../../parts/codecs';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { fetchApplication, type Application } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { filterCondition, filterText, type FilterObject } from '../../service/read/filter';
import { listParts, type RawRecord } from '../../service/read/recordList';
import { countRecords, readId, readRecord } from '../../service/read/records';
import { settle, unless } from '../../util/concurrently';
import type { Budget, Head, ListedRecord, RecordSource, Slice, WholeRecord } from '../poll/contract';
import { concernsAll, Deadline, isBusy, isLate, type PollClock } from './deadline';
import { idOf } from './headReader';
import {
  assertListed,
  idPart,
  newestPart,
  readListedPage,
  scanParts,
  wholeParts,
  type Capabilities,
  type ListedPage,
  type PageQuery,
  type Watch,
} from './watch';

/** How many records are tried before the application counts as not answering. Some may just be unreadable. */
const MOST_TRIED = 5;

/** The records of an application that a watch names, over the service. */
export class ServiceSource implements RecordSource<RawRecord> {
  readonly concernsAll = concernsAll;
  readonly isBusy = isBusy;
  readonly isLate = isLate;
  private readonly deadline: Deadline;
  private readonly id: Part;
  private readonly newestBy: Part | null;
  private readonly wholeKeys: readonly string[];

  /**
   * @param headOf reads what is compared of a record.
   * @param budget the time of the poll.
   * @throws UserError if something cannot be watched.
   */
  constructor(
    private readonly app: ApplicationSession,
    private readonly watch: Watch,
    private readonly headOf: (record: RawRecord) => Head,
    private readonly known: Capabilities,
    clock: PollClock,
    budget: Budget,
  ) {
    assertListed(watch);
    this.deadline = new Deadline(clock, budget, app.client);
    this.id = idPart(watch);
    this.newestBy = newestPart(watch);
    this.wholeKeys = wholeParts(watch).map((part) => partKey(part, watch.keyMode));
  }

  waitedMs(): number {
    return this.app.client.waitedMs;
  }

  async heads({ withinMs, ...slice }: Slice): Promise<Head[]> {
    return await this.listHeads({ ...slice, sort: this.id, order: 'asc' }, withinMs);
  }

  /** What is compared of the last records: last changed first if a part shows that, else highest ID first. */
  async lastHeads({ withinMs, ...slice }: Slice): Promise<Head[]> {
    const newest = await this.newest({ ...slice, withinMs }, false);
    if (newest.length > 0) return newest;
    return await this.listHeads({ ...slice, sort: this.id, order: 'desc' }, withinMs);
  }

  async lastIds(limit: number): Promise<string[]> {
    const query = { parts: scanParts(this.watch), sort: this.id, order: 'desc', offset: 0, limit } as const;
    const { records } = await this.deadline.twice(async (withinMs) => await this.list(query, withinMs));
    const key = partKey(this.id, this.watch.keyMode);
    return records.map((record) => idOf(record, key));
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
    const { filter, keyword } = this.watch.narrowing;
    const narrowing = { filter: filterForIds(this.id, ids, filter), keyword };
    const query = { narrowing, sort: this.id, order: 'asc', offset: 0, limit: ids.length } as const;
    return await this.ofIds(ids, async () => await this.whole(query, this.deadline.usualMs));
  }

  async present(ids: readonly string[]): Promise<string[]> {
    const narrowing = { filter: filterForIds(this.id, ids) };
    const query = { narrowing, sort: this.id, order: 'asc', offset: 0, limit: ids.length } as const;
    const listed = await this.ofIds(ids, async () => await this.listHeads(query, this.deadline.usualMs));
    return listed.map(({ id }) => id);
  }

  async read(id: string): Promise<WholeRecord<RawRecord> | null> {
    const record = await this.unlessRefused(
      async () => await this.inTime(this.deadline.usualMs, async (app) => await readRecord(app, id)),
      false,
    );
    return record === null ? null : { ...this.headOf(record), id, record };
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
    await this.deadline.twice(async (withinMs) => {
      const application = await this.inTime(
        withinMs,
        async ({ client, reference }) => await fetchApplication(client, reference),
      );
      // It may refuse everything, list nothing and count 0. A service that does not report the status has answered properly.
      if (application.status !== 'running' && application.status !== '') throw notRunning(application);
    });
  }

  private async listHeads(query: Omit<PageQuery, 'parts'>, withinMs: number): Promise<Head[]> {
    const { records } = await this.list({ ...query, parts: scanParts(this.watch) }, withinMs);
    return records.map((record) => this.headOf(record));
  }

  private async whole(
    query: Omit<PageQuery, 'parts'>,
    withinMs: number,
    heads?: readonly Part[],
  ): Promise<ListedRecord<RawRecord>[]> {
    const parts = heads ?? wholeParts(this.watch);
    const { records, asAsked } = await this.list({ ...query, parts }, withinMs);
    const isWhole = (record: RawRecord): boolean =>
      asAsked ? heads === undefined : this.wholeKeys.every((key) => Object.hasOwn(record, key));
    return records.map((record) => ({
      ...this.headOf(record),
      record: isWhole(record) ? record : undefined,
      updated: this.updatedOf(record),
    }));
  }

  /** What a list of IDs gives: records that are asked for, and no others; else the filter works differently. */
  private async ofIds<T extends Head>(ids: readonly string[], list: () => Promise<T[]>): Promise<T[]> {
    if (this.known.takesIds === false) return [];
    const listed = await this.unlessRefused(list, false);
    const asked = new Set(ids);
    const isProved = listed !== null && listed.length > 0 && listed.every(({ id }) => asked.has(id));
    // If it has found some before, finding none may mean that the records are gone.
    if (this.known.takesIds !== true || (listed !== null && listed.length > 0))
      this.known.takesIds = isProved;
    return isProved ? listed : [];
  }

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

  /** `null` if the service refuses, unless it must not. */
  private async unlessRefused<T>(call: () => Promise<T>, mustNot: boolean): Promise<T | null> {
    return await unless((error) => !mustNot && isRefusal(error), call);
  }
}

/** A filter for several IDs, joined by tabs, besides another one. */
function filterForIds(part: Part, ids: readonly string[], filter?: string): string {
  const own = filter === undefined ? {} : (JSON.parse(filter) as FilterObject);
  const items = 'item' in own && Array.isArray(own.item) ? (own.item as unknown[]) : [];
  return filterText([...items, filterCondition(part, '=', ids.join('\t'))], own);
}

/** An application that is not running. It will run again later, or its administrator must start it. */
export function notRunning({ name, status }: Application, reason = ''): ServiceError {
  const state = status === 'maintenance' ? 'under maintenance' : `not running (${status})`;
  return new ServiceError(
    'busy',
    `The application "${name}" is ${state}`,
    `The trigger continues when the application is running again. Nothing is lost. ${reason}`.trim(),
  );
}
