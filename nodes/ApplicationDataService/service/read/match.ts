import type { IDataObject } from 'n8n-workflow';

import type { WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { canonicalText, storedText } from '../../parts/compare';
import { outputKey, partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/model/lookup';
import type { Part } from '../../parts/model/part';
import { recordReader } from '../../parts/record';
import { ServiceError } from '../http/errors';
import { assertRunning } from './absence';
import { MAX_LIST_LENGTH } from '../http/listItems';
import { countRecords, readRecords, type RawRecord, type RecordQuery } from './records';
import { readToEnd } from './wholeList';
import type { ApplicationSession } from '../application/session';

/** The texts of the matching parts, in the order of the parts, as a write would send them. */
export type MatchKey = readonly string[];

/** A record that holds a key. */
export interface Match {
  readonly id: string;
  /** `null` where lists carry no revision. */
  readonly revision: number | null;
}

/** A text for a key, to look it up by. */
export function keyText(key: MatchKey): string {
  return JSON.stringify(key);
}

/**
 * Finds the records that hold keys in their matching parts, each key exactly. Costs one small read per key, or one scan
 * of the matching parts, whichever is fewer requests for this application.
 * @throws UserError when the application's lists carry no record ids.
 */
export async function findMatches(
  app: ApplicationSession,
  parts: readonly Part[],
  keys: readonly MatchKey[],
  context: WriteContext,
): Promise<Map<string, Match[]>> {
  const matcher = new Matcher(app, parts, keys, context);
  await matcher.run();
  return matcher.found;
}

class Matcher {
  readonly found = new Map<string, Match[]>();

  private readonly wanted: ReadonlySet<string>;

  private readonly query: RecordQuery;

  private readonly read: ReturnType<typeof recordReader>;

  constructor(
    private readonly app: ApplicationSession,
    private readonly parts: readonly Part[],
    private readonly keys: readonly MatchKey[],
    private readonly context: WriteContext,
  ) {
    const idPart = listedIdPart(app.application.parts, context.keyMode);
    this.wanted = new Set(keys.map(keyText));
    this.query = { parts, keyMode: context.keyMode };
    this.read = recordReader([...new Set([idPart, ...parts])], { keyMode: context.keyMode });
  }

  async run(): Promise<void> {
    await this.search();
    // What is not found is created: that nothing was left out must be known.
    if (this.found.size < this.wanted.size) await assertRunning(this.app);
  }

  private async search(): Promise<void> {
    const first = await this.readPage({ ...this.query, limit: MAX_LIST_LENGTH });
    const count = first.length === 0 ? 0 : await countRecords(this.app);
    if (count <= first.length) return this.take(first);
    const pages = Math.ceil(count / MAX_LIST_LENGTH);
    const useFilter =
      this.keys.length + 1 < pages && this.keys.every(isPlain) && (await this.provesFilter(first));
    if (useFilter) {
      for (const key of this.keys) this.take(await this.readPage(this.filtered(key)));
    } else {
      for await (const page of readToEnd(this.app, this.query)) this.take(page);
    }
  }

  private async readPage(query: RecordQuery): Promise<RawRecord[]> {
    const records: RawRecord[] = [];
    for await (const page of readRecords(this.app, query)) records.push(...page);
    return records;
  }

  private take(records: readonly RawRecord[]): void {
    for (const record of records) {
      const { key, match } = this.present(record);
      if (match === null || !this.wanted.has(key)) continue;
      const matches = this.found.get(key);
      if (matches === undefined) this.found.set(key, [match]);
      else matches.push(match);
    }
  }

  private present(record: RawRecord): { key: string; texts: MatchKey; match: Match | null } {
    const simplified = this.read(record);
    this.assertShown(simplified.partErrors);
    const texts = this.parts.map((part) => {
      const shown = outputKey(partKey(part, this.context.keyMode));
      return canonicalText(part, storedText(part, simplified[shown], this.context));
    });
    const { id, revision } = simplified;
    return { key: keyText(texts), texts, match: id === null ? null : { id, revision } };
  }

  /**
   * Whether `=` may be trusted on these parts: a filter for the key of a record that is known to be there must find it,
   * and nothing that differs. A silent miss would create a duplicate.
   */
  private async provesFilter(known: readonly RawRecord[]): Promise<boolean> {
    const sample = known
      .map((record) => this.present(record))
      .find(({ texts }) => texts.every((text) => text !== '') && isPlain(texts));
    if (sample?.match === undefined || sample.match === null) return false;
    try {
      const answer = (await this.readPage(this.filtered(sample.texts))).map((record) => this.present(record));
      return (
        answer.every(({ key }) => key === sample.key) &&
        answer.some(({ match }) => match?.id === sample.match?.id)
      );
    } catch {
      // A service that does not know the operator for this part says so; then the parts are scanned.
      return false;
    }
  }

  /**
   * @throws ServiceError where the service hides a matching part: the record with the key could be this one, and would be
   * created a second time.
   */
  private assertShown(errors: IDataObject = {}): void {
    const part = this.parts.find((each) => Object.hasOwn(errors, partKey(each, this.context.keyMode)));
    if (part === undefined) return;
    throw new ServiceError(
      'refused',
      `Records cannot be found by ${namePart(part)}: the service does not show it for all of them`,
      'Ask for the right to read this part, or match on another one.',
    );
  }

  private filtered(key: MatchKey): RecordQuery {
    const item = this.parts.map((part, index) => ({ field_id: part.id, operator: '=', value: key[index] }));
    return { ...this.query, filter: JSON.stringify({ item }), limit: MAX_LIST_LENGTH };
  }
}

/** A tab joins several values in a filter, and how a line break fares is not documented. */
function isPlain(key: MatchKey): boolean {
  return key.every((text) => !/[\t\r\n]/.test(text));
}
