import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject, parseJson } from '../../parts/values/shapes';
import { assertRunning } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { isRefusal, isTooSlow, ServiceError, toServiceError } from '../../service/http/errors';
import { assertOthersRead, findMissing } from '../../service/read/notThere';
import { MIN_PAGE_LENGTH, type PageRange, pagesOf, type PageTerms } from '../../service/read/paging';
import {
  countRecords,
  filterCondition,
  filterText,
  listParts,
  type ListQuery,
  listRecords,
  type RawRecord,
  readId,
} from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import { nullIf, settle } from '../../util/concurrently';
import { idNumber } from '../../util/ids';
import { LateError, type PollTime } from './time';
import { lacks, noNumber, type Version, versionReader } from './version';
import {
  assertSearchesAll,
  assertShown,
  assertWatchable,
  comparedParts,
  idPart,
  scanParts,
  type Watch,
  wholeParts,
} from './watch';

/** What is listed. */
export interface Listing {
  /** By ID, or the last changed first. */
  readonly order: 'id' | 'newest';
  /** Whole records; otherwise only what is compared. */
  readonly whole: boolean;
}

/** What is known of a service for some minutes, with the part definitions; absent if not known yet. */
export interface Capabilities {
  /** Lists narrowed by `fields` carry the revision. */
  revisionInLists?: boolean;
  /** The ID part can be filtered by several IDs at once. */
  takesIds?: boolean;
}

/** The lengths at which pages came in time, of lists of what is compared and of whole records; and since when. */
export type PageLengths = Partial<
  Record<'heads' | 'whole', { readonly length: number; readonly since: number }>
>;

/** After this time, a page may be long again. */
const LENGTH_LASTS_MS = 3_600_000;

/** The records of an application that a watch names. Calls throw what the service answered, or LateError. */
export class RecordSource {
  private readonly versionOf: (record: RawRecord) => Version;
  private readonly id: Part;
  private readonly idKey: string;
  private readonly wholeKeys: readonly string[];
  private readonly comparedKeys: readonly string[];

  /**
   * @param isFresh whether the part definitions were just read.
   * @throws UserError if something cannot be watched.
   */
  constructor(
    private readonly app: ApplicationSession,
    private readonly watch: Watch,
    private readonly time: PollTime,
    private readonly known: Capabilities,
    private readonly lengths: PageLengths,
    readonly isFresh: boolean,
  ) {
    assertWatchable(watch);
    this.versionOf = versionReader(watch, isFresh);
    this.id = idPart(watch);
    this.idKey = partKey(this.id, watch.keyMode);
    this.wholeKeys = wholeParts(watch).map((part) => partKey(part, watch.keyMode));
    this.comparedKeys = comparedParts(watch).map((part) => partKey(part, watch.keyMode));
  }

  /** Records that meet the filter, piece by piece, each once. */
  async *list(listing: Listing, terms: PageTerms): AsyncGenerator<Version[]> {
    const kind = listing.whole ? 'whole' : 'heads';
    const { clock } = this.time;
    if (clock.now() - (this.lengths[kind]?.since ?? 0) >= LENGTH_LASTS_MS) delete this.lengths[kind];
    const length = this.lengths[kind]?.length;
    const source = {
      fetchPage: async (range: PageRange) => {
        const page = await settle(async () => await this.page(listing, range));
        if ('value' in page) return page.value;
        const error = toServiceError(page.error);
        if (range.isDivisible === true && isTooSlow(error))
          this.lengths[kind] = { length: Math.max(MIN_PAGE_LENGTH, range.limit >> 1), since: clock.now() };
        throw page.error as Error;
      },
      idOf: (record: RawRecord) => readId(record, this.idKey),
    };
    for await (const slice of pagesOf(source, { ...terms, length }))
      yield slice.map((record) => this.versionIn(record, listing.whole));
  }

  /**
   * Records with these IDs by one request, with the watch's own filter or without; `null` if the service cannot list
   * them so.
   */
  async listByIds(
    ids: readonly string[],
    whole: boolean,
    isFiltered: boolean,
    withinMs?: number,
  ): Promise<Version[] | null> {
    if (this.known.takesIds === false) return null;
    const condition = filterCondition(this.id, '=', ids.join('\t'));
    const { filter, keyword } = this.watch.narrowing;
    const conditions = isFiltered ? conditionsOf(filter) : [];
    if (conditions === null) return null;
    const query = {
      ...this.query({ order: 'id', whole }),
      filter: filterText([...conditions, condition]),
      keyword: isFiltered ? keyword : undefined,
    };
    const range = { offset: 0, limit: ids.length };
    const listed = await nullIf(
      isRefusal,
      this.inTime(async (app) => await this.listed(app, query, range), withinMs),
    );
    const versions = listed?.map((record) => this.versionIn(record, whole)) ?? [];
    // Records that are asked for, and no others; else the filter works differently.
    if (versions.some(({ id }) => !ids.includes(id)) || listed === null) this.known.takesIds = false;
    else if (versions.length > 0) this.known.takesIds = true;
    // If it has found some before, finding none means that there are none.
    return this.known.takesIds === true ? versions : null;
  }

  /** One record, whether it meets the filter or not; `null` if the service refuses it. */
  async read(id: string, withinMs?: number): Promise<Version | null> {
    const reading = this.inTime(async (app) => await readRecord(app, id), withinMs);
    const record = await nullIf(isRefusal, reading);
    return record === null ? null : { ...this.versionOf(record), id, record };
  }

  /** Which of the refused records are not there, see `findMissing`. @param other the ID of one that should be. */
  async findMissing(refused: readonly string[], other?: string): Promise<ReadonlySet<string>> {
    return await this.inTime(async (app) => await findMissing(app, refused, other), this.time.left());
  }

  /** @throws ServiceError if no record can be read. @param other the ID of one that should be there. */
  async assertOthersRead(other?: string, withinMs?: number): Promise<void> {
    await this.inTime(async (app) => await assertOthersRead(app, other), withinMs);
  }

  /**
   * How many records meet the filter, asked after a list has come to its end.
   * @throws ServiceError if the application is not running: then nothing is known.
   */
  async countAtEnd(): Promise<number> {
    const query = this.query({ order: 'id', whole: false });
    const { time } = this;
    const count = await this.inTime(async (app) => await countRecords(app, query), time.left());
    await this.inTime(async ({ client, reference }) => await assertRunning(client, reference), time.left());
    return count;
  }

  /** The last ones: by ID, or those that were changed last. */
  async listLast(order: Listing['order'], range: PageRange): Promise<Version[]> {
    const query = this.query({ order, whole: false });
    const sort = order === 'id' ? { part: this.id, order: 'desc' as const } : query.sort;
    const records = await this.inTime(
      async (app) => await this.listed(app, { ...query, sort }, range),
      this.time.left(),
    );
    return records.map((record) => this.versionOf(record));
  }

  private query({ order, whole }: Listing): ListQuery {
    const { watch } = this;
    const { updatedPart, keyMode, narrowing } = watch;
    const part = order === 'newest' ? updatedPart : null;
    const parts = whole ? wholeParts(watch) : scanParts(watch);
    return {
      filter: narrowing.filter,
      keyword: narrowing.keyword,
      keyMode,
      parts: part === null ? parts : [...parts, part],
      sort: part === null ? { part: this.id, order: 'asc' } : { part, order: 'desc' },
    };
  }

  /** A page that may be asked for in halves has half of the time that is left, another one leaves some for the rest. */
  private async page(listing: Listing, { isDivisible = false, ...range }: PageRange): Promise<RawRecord[]> {
    const { time } = this;
    const left = time.left();
    if (left <= 0) throw new LateError();
    // If little was left when it was asked for, its lateness says nothing about its length.
    const isSlow = isDivisible && left >= time.total / 2;
    const query = this.query(listing);
    const records = await this.inTime(
      async (app) => await this.listed(app, query, { ...range, isDivisible }),
      left * (isDivisible ? 0.5 : 0.75),
      isSlow,
    );
    if (listing.order === 'id') assertAscending(records.map((record) => readId(record, this.idKey)));
    return records;
  }

  private versionIn(record: RawRecord, whole: boolean): Version {
    const version = this.versionOf(record);
    const isWhole = this.known.revisionInLists === false ? !lacks(record, this.wholeKeys) : whole;
    return isWhole ? { ...version, record } : version;
  }

  /**
   * One page with the revision of each record (interface.md, "list_data"). If the list has no revision although it was
   * requested, lists are read without `fields` for some minutes, and contain the parts that the service chooses.
   */
  private async listed(app: ApplicationSession, query: ListQuery, range: PageRange): Promise<RawRecord[]> {
    const { known, watch } = this;
    let records: RawRecord[] = [];
    if (known.revisionInLists !== false) {
      records = await listParts(app, query, range);
      if (records.length > 0) known.revisionInLists = records.some(({ revision }) => revision !== undefined);
    }
    if (known.revisionInLists === false) {
      assertSearchesAll(watch);
      records = await listRecords(app, query, range);
      if (records.length > 0 && records.every(({ revision }) => revision === undefined))
        throw withoutRevision();
    }
    if (records.length > 0 && records.every((record) => !Object.hasOwn(record, this.idKey)))
      throw withoutIds();
    const lacking = this.isFresh ? records.find((record) => lacks(record, this.comparedKeys)) : undefined;
    if (lacking !== undefined) assertShown(watch, lacking, known.revisionInLists !== false);
    return records;
  }

  /** Calls that are aborted when their time is over: half of what is left, so that others have time, too. */
  private async inTime<T>(
    work: (app: ApplicationSession) => Promise<T>,
    withinMs = this.time.left() / 2,
    isSlow = false,
  ): Promise<T> {
    const { app, time } = this;
    return await time.limit(app.client, withinMs, async (signal) => await work(app.until(signal)), isSlow);
  }
}

/** The conditions of a filter, to which one can be added; `null` if it has a form of its own. */
function conditionsOf(filter: string | undefined): readonly unknown[] | null {
  if (filter === undefined) return [];
  const parsed = parseJson(filter);
  if (!isObject(parsed) || !Array.isArray(parsed.item)) return null;
  return Object.keys(parsed).length === 1 ? (parsed.item as unknown[]) : null;
}

/** @throws ServiceError if a page is not in the order of its IDs: what a scan concludes from it would be wrong. */
function assertAscending(ids: readonly (string | null)[]): void {
  let before = -1;
  for (const id of ids) {
    if (id === null) continue;
    const number = idNumber(id);
    if (number < 0) throw noNumber(id);
    if (number <= before)
      throw new ServiceError(
        'badAnswer',
        `The service does not list the records in the order of their IDs: ${id} comes after ${before}`,
        'Ask the administrator of the service whether lists can be sorted by the ID part.',
      );
    before = number;
  }
}

function withoutRevision(): ServiceError {
  return new ServiceError(
    'settings',
    'The records have no revision, so changes cannot be seen',
    'Ask the administrator of the service whether revisions can be read with this access key.',
  );
}

function withoutIds(): ServiceError {
  return new ServiceError(
    'settings',
    'The records in the list have no ID',
    "Make the ID part readable for this access key, and give it an identifier in the application's settings.",
  );
}
