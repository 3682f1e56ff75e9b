import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { type Application, fetchApplication, isRunning } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { isRefusal, ServiceError } from '../../service/http/errors';
import {
  filterCondition,
  filterText,
  listParts,
  type ListQuery,
  listRecords,
  type RawRecord,
} from '../../service/read/recordList';
import { assertOthersRead } from '../../service/read/notThere';
import type { PageRange } from '../../service/read/paging';
import { readRecord } from '../../service/read/records';
import { nullIf, settle } from '../../util/concurrently';
import type { PageRequest, RecordSource, RecordVersion, WholeRecord } from '../poll/context';
import { Deadline, troubleOf, type PollTime } from './deadline';
import { versionReader } from './versionReader';
import {
  assertListed,
  assertSameSearch,
  idPart,
  scanParts,
  wholeParts,
  type Capabilities,
  type Watch,
} from './watch';

/** The records of an application that a watch names, over the service. */
export class ServiceSource implements RecordSource<RawRecord> {
  readonly troubleOf = troubleOf;
  private readonly known: Capabilities;
  private readonly deadline: Deadline;
  private readonly versionOf: (record: RawRecord) => RecordVersion<RawRecord>;
  private readonly id: Part;
  private readonly wholeKeys: readonly string[];

  /**
   * @param isJoint whether the state has one hash for all watched parts of a record.
   * @param isFresh whether the part definitions were just read.
   * @throws UserError if something cannot be watched.
   */
  constructor(
    private readonly app: ApplicationSession,
    private readonly watch: Watch,
    private readonly time: PollTime,
    isJoint: boolean,
    isFresh: boolean,
  ) {
    assertListed(watch);
    this.known = app.abilities;
    this.deadline = new Deadline(time, app.client);
    this.versionOf = versionReader(watch, isJoint, isFresh);
    this.id = idPart(watch);
    this.wholeKeys = wholeParts(watch).map((part) => partKey(part, watch.keyMode));
  }

  waitedMs(): number {
    return this.app.client.waitedMs;
  }

  async list({ order, ...slice }: PageRequest): Promise<RecordVersion<RawRecord>[]> {
    if (order === 'id') return await this.page(slice, { part: this.id, order: 'asc' });
    if (order === 'lastId')
      return await this.deadline.twice(
        async (withinMs) => await this.page({ ...slice, withinMs }, { part: this.id, order: 'desc' }),
      );
    const part = this.watch.updatedPart;
    return part === null ? [] : await this.page(slice, { part, order: 'desc' });
  }

  async byIds(ids: readonly string[], whole: boolean): Promise<RecordVersion<RawRecord>[]> {
    if (this.known.takesIds === false) return [];
    const narrowing = { filter: filterText([filterCondition(this.id, '=', ids.join('\t'))]) };
    const slice = { offset: 0, limit: ids.length, whole, withinMs: this.time.left() / 2 };
    const listed = await nullIf(isRefusal, this.page(slice, { part: this.id, order: 'asc' }, narrowing));
    // Records that are asked for, and no others; else the filter works differently.
    const isProved = listed !== null && listed.length > 0 && listed.every(({ id }) => ids.includes(id));
    // If it has found some before, finding none may mean that the records are gone.
    if (this.known.takesIds !== true || (listed !== null && listed.length > 0))
      this.known.takesIds = isProved;
    return isProved ? listed : [];
  }

  async read(id: string): Promise<WholeRecord<RawRecord> | null> {
    const record = await nullIf(
      isRefusal,
      this.inTime(async (app) => await readRecord(app, id)),
    );
    return record === null ? null : { ...this.versionOf(record), id, record };
  }

  async answersWell(): Promise<boolean> {
    const others = await settle(async () => await this.inTime(assertOthersRead));
    if ('value' in others) return true;
    if (!isRefusal(others.error) && troubleOf(others.error) === 'service') throw others.error;
    return false;
  }

  async assertRunning(): Promise<void> {
    await this.deadline.twice(async (withinMs) => {
      const application = await this.inTime(
        async ({ client, reference }) => await fetchApplication(client, reference),
        withinMs,
      );
      // One that is not running may refuse everything, list nothing and count 0.
      if (!isRunning(application)) throw notRunning(application);
    });
  }

  /** @param narrowing what to list instead of what the watch's own filter and keyword select. */
  private async page(
    { whole = false, withinMs, ...range }: Omit<PageRequest, 'order'>,
    sort: { readonly part: Part; readonly order: 'asc' | 'desc' },
    narrowing: Pick<Watch['narrowing'], 'filter' | 'keyword'> = this.watch.narrowing,
  ): Promise<RecordVersion<RawRecord>[]> {
    const { watch, known } = this;
    const isNewest = sort.part === watch.updatedPart;
    const parts = whole ? wholeParts(watch) : [...scanParts(watch), ...(isNewest ? [sort.part] : [])];
    const query = { ...narrowing, parts, keyMode: watch.keyMode, sort };
    const records = await this.inTime(async (app) => await this.listed(app, query, range), withinMs);
    return records.map((record) => {
      const version = this.versionOf(record);
      if (!whole && !isNewest) return version;
      const isWhole =
        known.revisionInLists === false ? this.wholeKeys.every((key) => Object.hasOwn(record, key)) : whole;
      const updated = isNewest ? this.updatedOf(record) : '';
      return { ...version, record: isWhole ? record : undefined, updated };
    });
  }

  /**
   * One page with the revision of each record (interface.md, "list_data"). If the list has no revision although it was
   * requested, lists are read without `fields` for some minutes, and contain the parts that the service chooses.
   */
  private async listed(app: ApplicationSession, query: ListQuery, range: PageRange): Promise<RawRecord[]> {
    const { known, watch } = this;
    if (known.revisionInLists !== false) {
      const records = await listParts(app, query, range);
      if (records.length > 0) known.revisionInLists = records[0]?.revision !== undefined;
      if (known.revisionInLists ?? true) return records;
    }
    if (query.keyword !== undefined) assertSameSearch(watch);
    const records = await listRecords(app, query, range);
    assertListed(watch, records[0]);
    return records;
  }

  private updatedOf(record: RawRecord): string {
    const part = this.watch.updatedPart;
    const value = part === null ? undefined : record[partKey(part, this.watch.keyMode)];
    const read = part === null || !isObject(value) ? null : part.codec.read(value, part);
    return typeof read === 'string' ? read : '';
  }

  /** Calls that are aborted when their time is over: half of what is left, so that others have time, too. */
  private async inTime<T>(
    work: (app: ApplicationSession) => Promise<T>,
    withinMs = this.time.left() / 2,
  ): Promise<T> {
    return await this.deadline.within(withinMs, async (signal) => await work(this.app.until(signal)));
  }
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
