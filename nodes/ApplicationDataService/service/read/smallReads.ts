import type { ApplicationSession } from '../application/session';
import { isRefusal } from '../http/errors';
import { concurrently, unless } from '../../util/concurrently';
import { filterCondition, filterText } from './filter';
import { keyText, type KeyedRecord, type KeyReader, type MatchKey } from './keyedRecords';
import { listParts, type ListQuery } from './recordList';
import { RECORDS_PER_READ } from './cost';

/** Records of one answer by a key: one, or some that share it. More say that the service does not narrow by it. */
const MOST_MATCHES = 10;

/** Characters of a key to ask for on trial: a service may cut longer ones. */
const LONGEST_SAMPLE = 100;

/** How records are looked for by a key; `=` compares exactly, if the service does what it should. */
type Route = 'equals' | 'contains' | 'keyword';

/** What reading key by key has found. */
export interface KeyReads {
  readonly found: readonly KeyedRecord[];
  readonly missing: readonly MatchKey[];
}

/**
 * Finds records by one narrowed read for each key. Operators are not documented, so an answer counts for what it shows: a
 * record that has the key is there. That none has it must be proven.
 */
export class SmallReads {
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
   * Whether `=` may be trusted: asked for a record that is known to be there, it finds it, and none of those that differ.
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
   * Whether none of the keys is found by another route either, one that finds a record known to be there. A key with signs
   * that a service may read in its own way is not searched for.
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
    const outcomes = await concurrently(
      keys.map((key) => async () => {
        const answer = isOver ? null : await ask(key);
        isOver ||= answer === null;
        return answer;
      }),
      { limit: this.atOnce, stopOnError: true },
    );
    const answers: (readonly KeyedRecord[])[] = [];
    for (const outcome of outcomes) {
      if (outcome !== undefined && 'error' in outcome) throw outcome.error;
      const answer = outcome?.value ?? null;
      if (answer !== null) answers.push(answer);
    }
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
      filterCondition(part, operator, key[index], part.type === 'users' || part.type === 'groups'),
    );
    return { ...query, filter: filterText(conditions) };
  }
}

/**
 * Records that are known to be there, by which it is seen what a service makes of a condition: at most two, those that tell
 * most. Few others share a long key or contain it: that of `N1` is part of thousands, that of `N200` of a hundred. None if
 * nothing among the records differs: then nothing shows that others are left out.
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
