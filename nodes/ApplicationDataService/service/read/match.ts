import type { WriteContext } from '../../parts/model/codec';
import { listedIdPart } from '../../parts/types/id';
import type { Part } from '../../parts/model/part';
import { allOf, unless } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isRefusal } from '../http/errors';
import { MAX_LIST_LENGTH } from '../http/client';
import { assertRunning, costOfScan, FEW_READS, FIRST_RECORDS, readToEnd, RECORDS_PER_READ } from './absence';
import { filterCondition, filterText } from './filter';
import {
  type KeyedRecord,
  KeyReader,
  keyText,
  type Match,
  type MatchKey,
  type NearKeys,
} from './keyedRecords';
import { listParts, type ListQuery, type RawRecord } from './recordList';
import { countRecords } from './records';
import { codecOf } from '../../parts/codecs';

/**
 * Finds the records that hold keys in their matching parts, each key exactly. Costs small reads for each key, or one
 * scan of the matching parts, whichever is cheaper for this application. What is not found is known not to be there, as
 * far as the interface lets anybody know (docs/guarantees.md, "Create or Update").
 * @param atOnce most requests under way.
 * @param near sees every record that is read.
 * @throws UserError when the application's lists carry no record ids.
 * @throws ServiceError if a key is not found, and that proves nothing.
 */
export async function findMatches(
  app: ApplicationSession,
  parts: readonly Part[],
  keys: readonly MatchKey[],
  context: WriteContext,
  atOnce = 1,
  near?: NearKeys,
): Promise<Map<string, Match[]>> {
  const matcher = new Matcher(app, new KeyReader(parts, context, app.application.parts, near), keys, atOnce);
  await matcher.run();
  // What is not found is created: that nothing was left out must be known.
  if (matcher.found.size < keys.length) await assertRunning(app);
  return matcher.found;
}

class Matcher {
  readonly found = new Map<string, Match[]>();

  private readonly wanted: ReadonlySet<string>;

  private readonly small: SmallReads;

  constructor(
    private readonly app: ApplicationSession,
    private readonly reader: KeyReader,
    private readonly keys: readonly MatchKey[],
    atOnce: number,
  ) {
    this.wanted = new Set(keys.map(keyText));
    this.small = new SmallReads(app, reader, atOnce);
  }

  async run(): Promise<void> {
    const isFew = this.keys.length <= FEW_READS;
    const few = isFew ? await this.small.read(this.keys) : null;
    if (few?.missing.length === 0) this.take(few.found);
    else if (!isFew) await this.readMany();
    else if (few === null || !(await this.readFew(few))) await this.takeAll(this.pages());
  }

  /**
   * Reads the newest records: of a small application these are all, of a large one they are samples. A key that is yet
   * to be created resembles them most, and few others contain theirs.
   * @returns whether what was not found is known not to be there.
   */
  private async readFew(few: KeyReads): Promise<boolean> {
    const { app, reader } = this;
    const { parts, context } = reader;
    const sort = { part: listedIdPart(app.application.parts, context.keyMode), order: 'desc' } as const;
    const query = { parts, keyMode: context.keyMode, sort };
    const newest = reader.read(await listParts(app, query, { offset: 0, limit: FIRST_RECORDS }));
    const isAll =
      newest.length < FIRST_RECORDS &&
      (await unless(isRefusal, async () => await countRecords(app))) === newest.length;
    const found = isAll ? newest : await this.readSmall(few, newest);
    if (found !== null) this.take(found);
    return found !== null;
  }

  /** The first page costs about as much as the small reads, and is all there is where the application is small. */
  private async readMany(): Promise<void> {
    const length = Math.min(MAX_LIST_LENGTH, this.keys.length * RECORDS_PER_READ);
    const pages = this.pages(length);
    const first: KeyedRecord[] = [];
    for (let next = await pages.next(); next.done !== true; next = await pages.next()) {
      first.push(...this.reader.read(next.value));
      if (first.length >= length) break;
    }
    const found = first.length < length ? null : await this.readSmall(null, first);
    this.take(found ?? first);
    if (found === null) await this.takeAll(pages);
    else await pages.return(undefined);
  }

  private pages(first?: number): AsyncGenerator<RawRecord[]> {
    const { parts, context } = this.reader;
    return readToEnd(this.app, { parts, keyMode: context.keyMode }, first);
  }

  private async takeAll(pages: AsyncGenerator<RawRecord[]>): Promise<void> {
    for await (const page of pages) this.take(this.reader.read(page));
  }

  private async readSmall(
    few: KeyReads | null,
    known: readonly KeyedRecord[],
  ): Promise<readonly KeyedRecord[] | null> {
    // A key that is not there is looked for twice.
    const isCheaper = async (): Promise<boolean> =>
      2 * (this.keys.length + 1) < costOfScan(await countRecords(this.app));
    if (few === null && !(await isCheaper())) return null;
    if (!(await this.small.proves(known))) return null;
    const read = few ?? (await this.small.read(this.keys));
    if (read === null) return null;
    const { found, missing } = read;
    const isSure = missing.length === 0 || (await this.small.confirmsMissing(missing, known));
    return isSure ? found : null;
  }

  private take(records: readonly KeyedRecord[]): void {
    for (const { key, id, revision } of records) {
      const matches = this.found.get(keyText(key));
      if (matches !== undefined) matches.push({ id, revision });
      else if (this.wanted.has(keyText(key))) this.found.set(keyText(key), [{ id, revision }]);
    }
  }
}

/** Records of one answer by a key: one, or some that share it. More say that the service does not narrow by it. */
const MOST_MATCHES = 10;

/** Characters of a key to ask for on trial: a service may cut longer ones. */
const LONGEST_SAMPLE = 100;

/** How records are looked for by a key; `=` compares exactly, if the service does what it should. */
type Route = 'equals' | 'contains' | 'keyword';

interface KeyReads {
  readonly found: readonly KeyedRecord[];
  readonly missing: readonly MatchKey[];
}

/**
 * Finds records by one narrowed read for each key. Operators are not documented, so an answer counts for what it shows:
 * a record that has the key is there. That none has it must be proven.
 */
class SmallReads {
  constructor(
    private readonly app: ApplicationSession,
    private readonly reader: KeyReader,
    private readonly atOnce: number,
  ) {}

  /** Reads each key with `=`; `null` if the service does not know it, or does not narrow by it. */
  async read(keys: readonly MatchKey[]): Promise<KeyReads | null> {
    if (!keys.every(isOneLine)) return null;
    const answers = await this.each(keys, async (key) => await this.ask('equals', key, MOST_MATCHES));
    if (answers === null) return null;
    const found = answers.map((records, index) =>
      records.filter(({ key }) => isSame(key, keys[index] ?? [])),
    );
    return { found: found.flat(), missing: keys.filter((_, index) => found[index]?.length === 0) };
  }

  /**
   * Whether `=` may be trusted: asked for a record that is known to be there, it finds it, and none of those that
   * differ.
   * @param known records that are there.
   */
  async proves(known: readonly KeyedRecord[]): Promise<boolean> {
    for (const sample of samplesOf(known)) {
      const answer = await this.ask('equals', sample.key, MOST_MATCHES);
      const isFound = answer?.some(({ id }) => id === sample.id) === true;
      if (isFound) return answer.every(({ key }) => isSame(key, sample.key));
      if (answer !== null) return false;
    }
    return false;
  }

  /**
   * Whether none of the keys is found by another route either, one that finds a record known to be there. A key with
   * signs that a service may read in its own way is not searched for.
   */
  async confirmsMissing(keys: readonly MatchKey[], known: readonly KeyedRecord[]): Promise<boolean> {
    if (!keys.every(isPlain)) return false;
    const route = await this.otherRoute(samplesOf(known));
    if (route === null) return false;
    const answers = await this.each(keys, async (key) => await this.ask(route, key, RECORDS_PER_READ));
    return (
      answers?.every((records, index) => !records.some(({ key }) => isSame(key, keys[index] ?? []))) === true
    );
  }

  private async otherRoute(samples: readonly KeyedRecord[]): Promise<Route | null> {
    for (const route of ['contains', 'keyword'] as const) {
      for (const { id, key } of samples) {
        const answer = await this.ask(route, key, RECORDS_PER_READ);
        if (answer?.some((record) => record.id === id) === true) return route;
        // A refusal is the same for all, and looks like more than can be read: the next sample is asked to tell.
        if (answer !== null) break;
      }
    }
    return null;
  }

  /** `null` as soon as one answer says nothing. */
  private async each(
    keys: readonly MatchKey[],
    ask: (key: MatchKey) => Promise<readonly KeyedRecord[] | null>,
  ): Promise<(readonly KeyedRecord[])[] | null> {
    let isOver = false;
    const tasks = keys.map((key) => async () => {
      const answer = isOver ? null : await ask(key);
      isOver ||= answer === null;
      return answer;
    });
    const answers = (await allOf(tasks, this.atOnce)).filter((answer) => answer !== null);
    return answers.length === keys.length ? answers : null;
  }

  /** The records that a route gives for a key; `null` if it is refused, or gives so many that some may be missing. */
  private async ask(route: Route, key: MatchKey, limit: number): Promise<readonly KeyedRecord[] | null> {
    const records = await unless(
      isRefusal,
      async () => await listParts(this.app, this.queryFor(route, key), { offset: 0, limit }),
    );
    return records === null || records.length >= limit ? null : this.reader.read(records);
  }

  private queryFor(route: Route, key: MatchKey): ListQuery {
    const { parts, context } = this.reader;
    const query = { parts, keyMode: context.keyMode };
    // The keyword is looked for in the parts that are asked for.
    if (route === 'keyword') return { ...query, keyword: key[0] };
    const operator = route === 'equals' ? '=' : 'contains';
    // People and groups are written by their IDs, and so they are looked for.
    const conditions = parts.map((part, index) =>
      filterCondition(part, operator, key[index], codecOf(part).members !== undefined),
    );
    return { ...query, filter: filterText(conditions) };
  }
}

/**
 * Records that are known to be there, by which it is seen what a service makes of a condition: at most two, those that
 * tell most. Few others share a long key or contain it: that of `N1` is part of thousands, that of `N200` of a hundred.
 * None if nothing among the records differs: then nothing shows that others are left out.
 */
function samplesOf(known: readonly KeyedRecord[]): readonly KeyedRecord[] {
  const counts = new Map<string, number>();
  for (const { key } of known) counts.set(keyText(key), (counts.get(keyText(key)) ?? 0) + 1);
  if (counts.size < 2) return [];
  const held = ({ key }: KeyedRecord): number => counts.get(keyText(key)) ?? 0;
  const usable = known.filter(({ key }) => isPlain(key) && lengthOf(key) <= LONGEST_SAMPLE);
  const sorted = usable.sort((a, b) => held(a) - held(b) || lengthOf(b.key) - lengthOf(a.key));
  const [first] = sorted;
  const second = sorted.find(({ key }) => first !== undefined && !isSame(key, first.key));
  return [first, second].filter((each) => each !== undefined);
}

function lengthOf(key: MatchKey): number {
  return key.join('').length;
}

function isSame(key: MatchKey, other: MatchKey): boolean {
  return keyText(key) === keyText(other);
}

/** A tab joins several values in a filter, and how a line break fares is not documented. */
function isOneLine(key: MatchKey): boolean {
  return key.every((text) => text !== '' && !/[\t\r\n]/.test(text));
}

/** Nor how a service reads quotes, signs of HTML, or spaces around a text: what is not found so may be there. */
function isPlain(key: MatchKey): boolean {
  return isOneLine(key) && key.every((text) => text.trim() === text && !/["'`\\<>&]/.test(text));
}
