import type { WriteContext } from '../../parts/model/codec';
import { listedIdPart } from '../../parts/model/lookup';
import type { Part } from '../../parts/model/part';
import { unless } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isRefusal } from '../http/errors';
import { MAX_LIST_LENGTH } from '../http/listItems';
import { assertRunning } from './absence';
import { costOfScan, FEW_READS, FIRST_RECORDS, RECORDS_PER_READ } from './cost';
import {
  keyText,
  KeyReader,
  type KeyedRecord,
  type Match,
  type MatchKey,
  type NearKeys,
} from './keyedRecords';
import { listParts, type RawRecord } from './recordList';
import { countRecords } from './records';
import { SmallReads, type KeyReads } from './smallReads';
import { readToEnd } from './wholeList';

/**
 * Finds the records that hold keys in their matching parts, each key exactly. Costs small reads for each key, or one scan
 * of the matching parts, whichever is cheaper for this application. What is not found is known not to be there, as far as
 * the interface lets anybody know (docs/guarantees.md, "Create or Update").
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
   * Reads the newest records: of a small application these are all, of a large one they are samples. A key that is yet to be
   * created resembles them most, and few others contain theirs.
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

  /** The records of all keys; `null` if reading all is cheaper, or where what was not found may be there. */
  private async readSmall(
    few: KeyReads | null,
    known: readonly KeyedRecord[],
  ): Promise<readonly KeyedRecord[] | null> {
    if (few === null && !(await this.isCheaper())) return null;
    if (!(await this.small.proves(known))) return null;
    const read = few ?? (await this.small.read(this.keys));
    if (read === null) return null;
    const { found, missing } = read;
    const isSure = missing.length === 0 || (await this.small.confirmsMissing(missing, known));
    return isSure ? found : null;
  }

  /** A key that is not there is looked for twice. */
  private async isCheaper(): Promise<boolean> {
    return 2 * (this.keys.length + 1) < costOfScan(await countRecords(this.app));
  }

  private take(records: readonly KeyedRecord[]): void {
    for (const { key, id, revision } of records) {
      const matches = this.found.get(keyText(key));
      if (matches !== undefined) matches.push({ id, revision });
      else if (this.wanted.has(keyText(key))) this.found.set(keyText(key), [{ id, revision }]);
    }
  }
}
