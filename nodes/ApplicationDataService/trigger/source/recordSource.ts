import { partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/types/id';
import type { Part } from '../../parts/model/part';
import { isObject, parseJson } from '../../parts/values/shapes';
import { assertRunning, fetchApplication } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { isRefusal, ServiceError, unusable } from '../../service/http/errors';
import { type PageRange, pagesOf, type PageTerms } from '../../service/read/paging';
import {
  countRecords,
  filterCondition,
  filterText,
  listParts,
  type ListQuery,
  listRecords,
  type RawRecord,
} from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import { nullIf, pause } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { LateError, type PollTime } from './time';
import {
  assertSearchesAll,
  assertShown,
  comparedParts,
  scanParts,
  type Version,
  versionReader,
  type Watch,
  wholeParts,
} from './watch';

/** By ID, or the last changed first. */
type Order = 'id' | 'newest';

/**
 * How many IDs go into one filter: some 8 kB, few enough for any usual limit, and so many that a page of 4,950 new
 * records is five lists. Each list is waited for: with 500, a backlog took half as long again at 20 ms a call.
 */
export const IDS_PER_LIST = 990;
/** So many records are compared before others may have their turn. */
const PIECE = 250;

/** The parts are other ones than when they were read: what was compared by them means something else. */
export class StalePartsError extends Error {}

/** The records of an application that a watch names. Calls throw what the service answered, or LateError. */
export class RecordSource {
  /** The list is narrowed by the service. */
  readonly isFiltered: boolean;
  /** It is narrowed at all: a record that is missing from it may still exist. */
  readonly isNarrowed: boolean;
  private readonly versionOf: (record: RawRecord, isWhole: boolean) => Version;
  private readonly id: Part;
  private readonly idKey: string;
  private readonly wholeKeys: readonly string[];
  private readonly comparedKeys: readonly string[];
  private checkingParts: Promise<void> | undefined;

  /**
   * @param isFresh whether the part definitions were just read.
   * @throws UserError if lists carry no record IDs.
   */
  constructor(
    readonly app: ApplicationSession,
    readonly watch: Watch,
    private readonly time: PollTime,
    readonly isFresh: boolean,
  ) {
    const { narrowing, parts, keyMode, test } = watch;
    const keysOf = (some: readonly Part[]): string[] => some.map((part) => partKey(part, keyMode));
    this.isFiltered = narrowing.filter !== undefined || narrowing.keyword !== undefined;
    this.isNarrowed = this.isFiltered || test !== null;
    this.id = listedIdPart(parts, keyMode);
    this.idKey = partKey(this.id, keyMode);
    this.wholeKeys = keysOf(wholeParts(watch)).filter((key) => key !== '');
    this.comparedKeys = keysOf(comparedParts(watch));
    this.versionOf = versionReader(watch, this.idKey);
  }

  /**
   * What is told, or remembered of watched parts, must be read by the parts as they are now: nothing refuses a record
   * that shows a new part, or a renamed column. Asked once a poll.
   * @throws StalePartsError
   */
  async assertPartsCurrent(): Promise<void> {
    if (this.isFresh) return;
    this.checkingParts ??= this.call(async ({ client, reference, application }) => {
      const { raw } = await fetchApplication(client, reference);
      if (JSON.stringify(raw.fields) !== JSON.stringify(application.raw.fields)) throw new StalePartsError();
    }, this.time.left());
    await this.checkingParts;
  }

  /** What is compared of records that meet the filter, piece by piece, each once. */
  async *list(order: Order, terms: PageTerms): AsyncGenerator<Version[]> {
    const source = {
      fetchPage: async (range: PageRange) => await this.page(order, range),
      idOf: ({ id }: Version) => id || null,
    };
    yield* pagesOf(source, terms);
  }

  /** A page that may be asked for in halves has half of the time that is left, another one leaves some for the rest. */
  private async page(order: Order, range: PageRange): Promise<Version[]> {
    const left = this.time.left();
    if (left <= 0) throw new LateError();
    const list = async (app: ApplicationSession) => await this.listed(app, this.query(order), range);
    const records = await this.call(list, left * (range.isDivisible === true ? 0.5 : 0.75));
    return await this.versionsIn(records, false, order === 'id');
  }

  /**
   * Those of some records, {@link IDS_PER_LIST} at most, that a list of their IDs shows, whole or only what is
   * compared; where it is filtered, those that meet the watch's own filter. `null` if it shows none, which proves
   * nothing, or the service cannot list them so.
   */
  async listByIds(
    ids: readonly string[],
    {
      whole = false,
      isFiltered = false,
      withinMs,
    }: { whole?: boolean; isFiltered?: boolean; withinMs?: number } = {},
  ): Promise<Version[] | null> {
    const { watch } = this;
    const { abilities } = this.app;
    const conditions = isFiltered ? conditionsOf(watch.narrowing.filter) : [];
    if (conditions === null || abilities.refusesIds) return null;
    const query = {
      ...this.query('id', whole),
      filter: filterText([...conditions, filterCondition(this.id, '=', ids.join('\t'))]),
      ...(!isFiltered && { keyword: undefined }),
    };
    const list = async (app: ApplicationSession) =>
      await this.listed(app, query, { offset: 0, limit: ids.length });
    const records = await nullIf(isRefusal, this.call(list, withinMs));
    const shown = records === null ? [] : await this.versionsIn(records, whole, true);
    const wanted = new Set(ids);
    // Records that are asked for, and no others; else the filter works differently. One may be refused by itself.
    if (records === null ? ids.length > 1 : shown.some(({ id }) => !wanted.has(id)))
      abilities.refusesIds = true;
    return abilities.refusesIds || shown.length === 0 ? null : shown;
  }

  /** One record, whether it meets the filter or not; `null` if the service refuses it. */
  async read(id: string, withinMs?: number): Promise<Version | null> {
    const reading = this.call(async (app) => await readRecord(app, id), withinMs);
    const record = await nullIf(isRefusal, reading);
    return record === null ? null : { ...this.versionOf(record, true), id };
  }

  /** The last ones: by ID, or those that were changed last. */
  async listLast(order: Order, limit: number): Promise<Version[]> {
    const query = this.query(order);
    const sort = { part: query.sort?.part ?? this.id, order: 'desc' } as const;
    const list = async (app: ApplicationSession) =>
      await this.listed(app, { ...query, sort }, { offset: 0, limit });
    return await this.versionsIn(await this.call(list, this.time.left()), false);
  }

  /**
   * How many records meet the filter, asked after a list has come to its end.
   * @throws ServiceError if the application is not running: then nothing is known.
   */
  async countAtEnd(): Promise<number> {
    return await this.call(async (app) => {
      const count = await countRecords(app, this.query('id'));
      await assertRunning(app.client, app.reference);
      return count;
    }, this.time.left());
  }

  /** Calls that are aborted when their time is over: half of what is left, so that others have time, too. */
  async call<T>(work: (app: ApplicationSession) => Promise<T>, withinMs = this.time.left() / 2): Promise<T> {
    const { app, time } = this;
    return await time.limit(app.client, withinMs, async (signal) => await work(app.until(signal)));
  }

  private query(order: Order, whole = false): ListQuery {
    const { keyMode, narrowing, updatedPart } = this.watch;
    const { filter, keyword } = narrowing;
    const parts = whole ? wholeParts(this.watch) : scanParts(this.watch);
    const query = { filter, keyword, keyMode };
    return order === 'id' || updatedPart === null
      ? { ...query, parts, sort: { part: this.id, order: 'asc' } }
      : { ...query, parts: [...parts, updatedPart], sort: { part: updatedPart, order: 'desc' } };
  }

  /**
   * What is compared of listed records, kept where they are whole.
   * @param isAscending whether they should come in the order of their IDs: else what a scan concludes would be wrong.
   * @throws UserError if an ID is no number, ServiceError if they are not in that order.
   */
  private async versionsIn(
    records: readonly RawRecord[],
    whole: boolean,
    isAscending = false,
  ): Promise<Version[]> {
    const { wholeKeys, versionOf } = this;
    const isWhole = (record: RawRecord): boolean =>
      this.app.abilities.revisionInLists === false ? shows(record, wholeKeys) : whole;
    const versions: Version[] = [];
    for (let start = 0; start < records.length; start += PIECE) {
      await pause();
      for (const record of records.slice(start, start + PIECE))
        versions.push(versionOf(record, isWhole(record)));
    }
    let before = -1;
    for (const version of versions) {
      if (version.id === '') continue;
      if (version.number < 0 || (isAscending && version.number <= before)) throw misplaced(version, before);
      before = version.number;
    }
    return versions;
  }

  /**
   * One page with the revision of each record (interface.md, "list_data"). If the list has no revision although it was
   * requested, lists are read without `fields` for some minutes, and contain the parts that the service chooses.
   */
  private async listed(app: ApplicationSession, query: ListQuery, range: PageRange): Promise<RawRecord[]> {
    const { watch, idKey } = this;
    const { abilities } = app;
    let records: RawRecord[] = [];
    if (abilities.revisionInLists !== false) {
      records = await listParts(app, query, range);
      if (records.length > 0)
        abilities.revisionInLists = records.some(({ revision }) => revision !== undefined);
    }
    if (abilities.revisionInLists === false) {
      assertSearchesAll(watch);
      records = await listRecords(app, query, range);
    }
    if (records.length > 0 && records.every(({ revision }) => revision === undefined))
      throw unusable(
        'The records have no revision, so changes cannot be seen',
        'Ask the administrator of the service whether revisions can be read with this access key.',
      );
    if (records.length > 0 && !records.some((record) => shows(record, [idKey])))
      throw unusable(
        'The records in the list have no ID',
        "Make the ID part readable for this access key, and give it an identifier in the application's settings.",
      );
    const lacking = records.find((record) => !shows(record, this.comparedKeys));
    if (lacking !== undefined) assertShown(watch, lacking);
    return records;
  }
}

function shows(record: RawRecord, keys: readonly string[]): boolean {
  return keys.every((key) => Object.hasOwn(record, key));
}

/** The conditions of a filter, to which one can be added; `null` if it has a form of its own. */
function conditionsOf(filter: string | undefined): readonly unknown[] | null {
  const parsed = filter === undefined ? { item: [] } : parseJson(filter);
  const isList = isObject(parsed) && Array.isArray(parsed.item) && Object.keys(parsed).length === 1;
  return isList ? (parsed.item as unknown[]) : null;
}

function misplaced({ id, number }: Version, before: number): Error {
  return number < 0
    ? new UserError(
        `The record ID "${id}" is not a whole number: the trigger cannot watch such records`,
        'Check which part is the ID part of the application.',
      )
    : new ServiceError(
        'badAnswer',
        `The service does not list the records in the order of their IDs: ${id} comes after ${before}`,
        'Ask the administrator of the service whether lists can be sorted by the ID part.',
      );
}
