import { codecOf } from '../../parts/codecs';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { unless } from '../../util/concurrently';
import { countRecords, readId, readRecord, type RawRecord } from '../../service/read/records';
import { listParts } from '../../service/read/recordList';
import type { ApplicationSession } from '../../service/application/session';
import type { Head, ListedRecord, RecordSource, WholeRecord } from '../poll/recordSource';
import type { Capabilities } from './capabilities';
import { headReader, type HeadReader } from './headReader';
import { filterForIds, readPage, type ListedPage, type PageQuery } from './watchedList';
import { idPart, newestPart, scanParts, wholeParts, type Watch } from './watch';
import { within } from './within';

/** The records of an application that a watch names, over the service. */
export class ServiceSource implements RecordSource<RawRecord> {
  private readonly headOf: HeadReader;
  private readonly id: Part;
  private readonly newestBy: Part | null;
  private readonly wholeKeys: readonly string[];

  constructor(
    private readonly app: ApplicationSession,
    private readonly watch: Watch,
    private readonly known: Capabilities,
    /** Aborted when the poll's time is over. */
    private readonly signal: AbortSignal,
  ) {
    this.headOf = headReader(watch);
    this.id = idPart(watch);
    this.newestBy = newestPart(watch);
    this.wholeKeys = wholeParts(watch).map((part) => partKey(part, watch.keyMode));
  }

  async heads(offset: number, limit: number): Promise<Head[]> {
    const { records } = await this.list({
      parts: scanParts(this.watch),
      sort: this.id,
      order: 'asc',
      offset,
      limit,
    });
    return records.map((record) => this.head(record));
  }

  async lastIds(limit: number): Promise<string[]> {
    const { records } = await this.list({
      parts: scanParts(this.watch),
      sort: this.id,
      order: 'desc',
      offset: 0,
      limit,
    });
    return records.map((record) => this.headOf(record).id);
  }

  async page(offset: number, limit: number): Promise<ListedRecord<RawRecord>[]> {
    return await this.whole({ sort: this.id, order: 'asc', offset, limit });
  }

  async newest(offset: number, limit: number): Promise<ListedRecord<RawRecord>[]> {
    if (this.newestBy === null || this.known.sortsByNewest === false) return [];
    const listed = await this.unlessRefused(
      async () => await this.whole({ sort: this.newestBy!, order: 'desc', offset, limit }),
      // A part that the user named must serve; one that was guessed need not.
      this.watch.updatedPart !== null || this.known.sortsByNewest === true,
    );
    this.known.sortsByNewest = listed !== null;
    return listed ?? [];
  }

  async byIds(ids: readonly string[]): Promise<ListedRecord<RawRecord>[]> {
    if (this.known.takesIds === false) return [];
    const filter = filterForIds(this.watch, ids);
    const query = { sort: this.id, order: 'asc', offset: 0, limit: ids.length, filter } as const;
    const listed = await this.unlessRefused(async () => await this.whole(query), false);
    const asked = new Set(ids);
    // Ids that are known to be there, and no others: anything else means that the filter does something else.
    const isProved = listed !== null && listed.length > 0 && listed.every(({ id }) => asked.has(id));
    this.known.takesIds = isProved;
    return isProved ? listed : [];
  }

  async read(id: string): Promise<WholeRecord<RawRecord> | null> {
    const record = await this.unlessRefused(async () => await readRecord(this.app, id), false);
    if (record === null) return null;
    return { ...this.head(record), id, record };
  }

  async answersWell(): Promise<boolean> {
    const idKey = partKey(this.id, this.watch.keyMode);
    const query = { parts: [], keyMode: this.watch.keyMode };
    const [record] = await within(
      this.signal,
      async () => await listParts(this.app, query, { offset: 0, limit: 1 }),
    );
    const id = record === undefined ? null : readId(record, idKey);
    if (id !== null) return (await this.read(id)) !== null;
    return (await within(this.signal, async () => await countRecords(this.app))) === 0;
  }

  private head(record: RawRecord): Head {
    const { revision, ...head } = this.headOf(record);
    if (revision === null) throw withoutRevision();
    return { ...head, revision };
  }

  private async whole(query: Omit<PageQuery, 'parts'>): Promise<ListedRecord<RawRecord>[]> {
    const { records, asAsked } = await this.list({ ...query, parts: wholeParts(this.watch) });
    return records.map((record) => ({
      ...this.head(record),
      record: asAsked || this.wholeKeys.every((key) => key in record) ? record : undefined,
      updated: this.updatedOf(record),
    }));
  }

  private updatedOf(record: RawRecord): string {
    const part = this.newestBy;
    const value = part === null ? undefined : record[partKey(part, this.watch.keyMode)];
    const read = part === null || !isObject(value) ? null : codecOf(part).read(value, part);
    return typeof read === 'string' ? read : '';
  }

  private async list(query: PageQuery): Promise<ListedPage> {
    return await within(this.signal, async () => await readPage(this.app, this.watch, query, this.known));
  }

  /** `null` where the service refuses, unless it must not. */
  private async unlessRefused<T>(call: () => Promise<T>, mustNot: boolean): Promise<T | null> {
    return await unless(
      (error) => !mustNot && isRefusal(error),
      async () => await within(this.signal, call),
    );
  }
}

function withoutRevision(): ServiceError {
  return new ServiceError(
    'badAnswer',
    'The records carry no revision, without which changes cannot be seen',
    'Ask the administrator of the service whether revisions can be read with this access key.',
  );
}
