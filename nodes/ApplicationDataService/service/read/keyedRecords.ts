import { storedKey } from '../../parts/compare';
import { namePart } from '../../parts/model/errors';
import { isSeveral, type Part, type WriteContext } from '../../parts/model/part';
import { recordReader, type SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import { listedIdPart } from '../../parts/types/id';
import { allOf, nullIf, settle } from '../../util/concurrently';
import { groupBy } from '../../util/groupBy';
import { assertRunning } from '../application/definition';
import { type ApplicationSession, CALLS_AT_ONCE } from '../application/session';
import { isRefusal, toServiceError } from '../http/errors';
import { costOfScan, FEW_READS } from './notThere';
import {
  countRecords,
  filterCondition,
  filterText,
  lacksId,
  listParts,
  type ListQuery,
  type RawRecord,
  readPages,
} from './recordList';
import { notShown } from './records';

/** The texts of the matching parts, in the order of the parts, as a write would send them. */
export type MatchKey = readonly string[];

export interface KeyedRecord {
  readonly id: string;
  readonly revision: number | null;
  readonly key: MatchKey;
  readonly record: SimplifiedRecord;
}

export function keyText(key: MatchKey): string {
  const [first = '', ...others] = key;
  return others.length === 0 ? first : JSON.stringify(key);
}

interface KeyedList {
  readonly query: ListQuery;
  readonly idPart: Part;
  readonly keyed: (records: readonly RawRecord[]) => KeyedRecord[];
}

export function keyedList(
  app: ApplicationSession,
  parts: readonly Part[],
  context: WriteContext,
  alsoRead: readonly Part[] = [],
): KeyedList {
  const { keyMode } = context;
  const idPart = listedIdPart(app.application.parts, keyMode);
  const read = [...new Set([...parts, ...alsoRead])];
  const simplify = recordReader([...new Set([idPart, ...read])], { keyMode });
  const keyed = (raw: RawRecord): KeyedRecord => {
    const record = simplify(raw);
    const { id, revision } = record;
    if (id === null) throw lacksId();
    const hidden = parts.find((part) => valueOf(record, part, context) === undefined);
    if (hidden === undefined) return { id, revision, key: storedKey(parts, record, context), record };
    // It could be the record that is looked for, and be created twice.
    throw notShown(
      `The record ${id} does not show ${namePart(hidden)}, so it is not known which item belongs to it`,
    );
  };
  return { query: { parts: read, keyMode }, idPart, keyed: (records) => records.map(keyed) };
}

/**
 * Finds the records that hold keys in their matching parts, each exactly, by a small read for each or by one scan,
 * whichever is cheaper here. What is not found is known not to be there (docs/guarantees.md, "Adding records").
 * @throws UserError, ServiceError where that cannot be known.
 */
export async function findMatches(
  app: ApplicationSession,
  parts: readonly Part[],
  keys: readonly MatchKey[],
  context: WriteContext,
  alsoRead: readonly Part[] = [],
): Promise<Pick<KeySearch, 'byKey' | 'failed'>> {
  const search = new KeySearch(app, parts, keys, keyedList(app, parts, context, alsoRead));
  await search.run();
  return search;
}

/** Records of one answer by a key: one, or some that share it. More say that the service does not narrow by it. */
const MAX_MATCHES = 10;
/** How many of the newest records are read to try `=` on one that is there: a key to be created resembles them most. */
const NEWEST = 150;

class KeySearch {
  /** The records that hold a key, by its text. */
  readonly byKey = new Map<string, KeyedRecord[]>();
  /** Why a key could not be asked for alone, as where a firewall refuses its text. */
  readonly failed = new Map<string, unknown>();
  /** IDs and keys of the records among the matches; one that is read twice may have changed its key. */
  private readonly taken = new Set<string>();
  private readonly wanted: ReadonlySet<string>;

  constructor(
    private readonly app: ApplicationSession,
    private readonly parts: readonly Part[],
    private readonly keys: readonly MatchKey[],
    private readonly list: KeyedList,
  ) {
    this.wanted = new Set(keys.map(keyText));
  }

  async run(): Promise<void> {
    // What `=` makes of several values is not known.
    const mayAsk = !this.parts.some(isSeveral) && this.keys.every(isPlain);
    if (mayAsk && (await this.countsAsFew()) && (await this.askForAll())) return;
    const { query } = this.list;
    for await (const page of readPages(this.app, { ...query, isProof: true }))
      this.take(this.list.keyed(page));
    this.failed.clear();
  }

  private async countsAsFew(): Promise<boolean> {
    const { length } = this.keys;
    // A key costs the service a search and a request, where a scan lists some records more.
    if (length <= FEW_READS) return true;
    return 2 * (length + 1) < costOfScan(await countRecords(this.app));
  }

  /** Asks for each key by `=`. @returns whether all is known now: what it does not find is proven not to be there. */
  private async askForAll(): Promise<boolean> {
    let isOver = false;
    const tasks = this.keys.map((key) => async () => {
      const answer = isOver ? null : await this.askAlone(key);
      isOver ||= answer === null;
      return answer ?? [];
    });
    const answers = await allOf(tasks, CALLS_AT_ONCE);
    if (isOver) return false;
    this.take(answers.flat());
    if (this.keys.every((key) => this.byKey.has(keyText(key)) || this.failed.has(keyText(key)))) return true;
    const { query, idPart } = this.list;
    const newestFirst = { ...query, sort: { part: idPart, order: 'desc' } as const };
    const newest = this.list.keyed(await listParts(this.app, newestFirst, { offset: 0, limit: NEWEST }));
    this.take(newest);
    const isAll = newest.length < NEWEST && (await countRecords(this.app)) === newest.length;
    if (!isAll && !(await this.askForOneThere(newest))) return false;
    await assertRunning(this.app.client, this.app.reference);
    return true;
  }

  /** A key that a web filter refuses (HTTP 403) fails alone. Other failures, and several of these, end the search. */
  private async askAlone(key: MatchKey): Promise<readonly KeyedRecord[] | null> {
    const answer = await settle(async () => await this.askFor(key));
    if ('value' in answer) return answer.value;
    const isFiltered = toServiceError(answer.error).details.status === 403;
    this.failed.set(keyText(key), answer.error);
    if (!isFiltered || this.failed.size >= Math.min(this.keys.length, CALLS_AT_ONCE)) throw answer.error;
    return [];
  }

  /** Whether `=` may be trusted: asked for a record that is there, it finds it, and leaves out those that differ. */
  private async askForOneThere(there: readonly KeyedRecord[]): Promise<boolean> {
    const groups = groupBy(there, ({ key }) => keyText(key));
    const [rarest] = groups.filter(([{ key }]) => isPlain(key)).sort((a, b) => a.length - b.length);
    if (rarest === undefined || groups.length < 2) return false;
    const [{ id, key: sought }] = rarest;
    const answer = (await this.askFor(sought)) ?? [];
    const isExact = answer.every(({ key }) => keyText(key) === keyText(sought));
    return isExact && answer.some((each) => each.id === id);
  }

  /** The records that `=` gives for a key; `null` if it is refused, or gives so many that some may be missing. */
  private async askFor(key: MatchKey): Promise<readonly KeyedRecord[] | null> {
    const conditions = this.parts.map((part, index) => filterCondition(part, '=', key[index]));
    const query = { ...this.list.query, filter: filterText(conditions) };
    const range = { offset: 0, limit: MAX_MATCHES };
    const records = await nullIf(isRefusal, listParts(this.app, query, range));
    return records === null || records.length >= MAX_MATCHES ? null : this.list.keyed(records);
  }

  private take(records: readonly KeyedRecord[]): void {
    for (const each of records) {
      const text = keyText(each.key);
      const place = `${each.id} ${text}`;
      if (!this.wanted.has(text) || this.taken.has(place)) continue;
      this.taken.add(place);
      this.byKey.set(text, this.byKey.get(text) ?? []);
      this.byKey.get(text)?.push(each);
    }
  }
}

/** How a service reads quotes, HTML, line breaks or outer spaces in a filter is not known; a tab joins values. */
function isPlain(key: MatchKey): boolean {
  return key.every((text) => text !== '' && text.trim() === text && !/[\t\r\n"'`\\<>&]/.test(text));
}
