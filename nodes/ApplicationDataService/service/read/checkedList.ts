import type { Condition, MatchMode } from '../../parts/conditions/condition';
import { peopleIn, type NamedPerson } from '../../parts/conditions/namedPeople';
import { RecordTest } from '../../parts/conditions/recordTest';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../application/session';
import { peopleInFilter } from './filter';
import { readRecords, type RecordQuery } from './records';
import type { RawRecord } from './recordList';

/** Records that the service finds, and that meet what the node checks. */
export interface CheckedList {
  readonly filter?: string | undefined;
  readonly conditions: readonly Condition[];
  readonly match: MatchMode;
}

/** What a user should know of a read. */
export class Warnings {
  readonly hidden = new Set<Part>();

  /** All records of the application were read, because only the node can check the conditions, which are joined so. */
  readWhole: MatchMode | null = null;

  readonly unfound: NamedPerson[] = [];

  disagreement: { readonly counted: number; readonly listed: number } | null = null;

  readonly lacks = { id: false, revision: false };

  watch<T extends Readonly<Record<string, unknown>>>(record: T): T {
    if (record.id === null) this.lacks.id = true;
    if (record.revision === null) this.lacks.revision = true;
    return record;
  }

  add({ hidden, readWhole, unfound, disagreement }: Warnings): void {
    this.disagreement ??= disagreement;
    for (const part of hidden) this.hidden.add(part);
    this.unfound.push(...unfound);
    this.readWhole ??= readWhole;
  }
}

/** How a list is read; without a limit to its proved end. */
export type CheckedQuery = Omit<RecordQuery, 'filter'>;

/** Records of the first page of a list that may hold enough long before its end. */
const FIRST_OF_MANY = 250;

/**
 * Reads the records of one list, page by page, each once. Parts that only a condition or the order needs come along.
 * @param more parts that the records must hold besides those of the query, if they are not to be searched by keyword
 */
export async function* readChecked(
  app: ApplicationSession,
  query: CheckedQuery,
  list: CheckedList,
  warnings: Warnings,
  more: readonly Part[] = [],
): AsyncGenerator<RawRecord[]> {
  let isEmpty = true;
  for await (const page of readListed(app, query, list, warnings, more)) {
    isEmpty &&= page.length === 0;
    yield page;
  }
  if (isEmpty) warnings.unfound.push(...namedIn(app, list));
}

/** The people and groups that narrow a list by their names. */
export function namedIn(
  { application }: ApplicationSession,
  { filter, conditions }: Pick<CheckedList, 'filter' | 'conditions'>,
): readonly NamedPerson[] {
  // The service may be asked what the node checks once more.
  const named = [...peopleInFilter(filter, application.parts), ...peopleIn(conditions)];
  return [...new Map(named.map((each) => [JSON.stringify([each.part.id, each.name]), each])).values()];
}

async function* readListed(
  app: ApplicationSession,
  { limit, ...query }: CheckedQuery,
  { filter, conditions, match }: CheckedList,
  warnings: Warnings,
  more: readonly Part[],
): AsyncGenerator<RawRecord[]> {
  const { keyMode, keyword } = query;
  const test = new RecordTest(conditions, match, keyMode);
  const needed = [...new Set([...test.parts, ...more])];
  const extra = needed.filter((part) => !query.parts.includes(part));
  const listed: RecordQuery = { ...query, filter };
  // The service searches what it is asked to return (interface.md, "list_data"): parts that only a condition needs,
  // too.
  const full = { ...listed, parts: [...query.parts, ...extra] };
  const proof = {
    known: app.abilities,
    disagrees: (counted: number, listed: number) => void (warnings.disagreement = { counted, listed }),
  };
  try {
    if (conditions.length === 0) {
      yield* readRecords(app, { ...full, limit }, limit === undefined ? { proof } : {});
      return;
    }
    const few = limit === undefined ? {} : { first: Math.max(limit, FIRST_OF_MANY), growing: true };
    const pages = readRecords(app, full, { proof, ...few });
    const pick = (record: RawRecord): RawRecord | null => (test.meets(record) ? record : null);
    const toTheEnd = yield* some(pages, pick, limit);
    if (!toTheEnd) return;
    if (filter === undefined && keyword === undefined) warnings.readWhole ??= match;
  } finally {
    for (const part of test.hidden) warnings.hidden.add(part);
  }
}

/** The records that are picked, up to a limit; returns whether there are no more. */
async function* some(
  pages: AsyncIterable<readonly RawRecord[]>,
  pick: (record: RawRecord) => RawRecord | null,
  limit = Infinity,
): AsyncGenerator<RawRecord[], boolean> {
  let left = limit;
  for await (const page of pages) {
    const picked = page
      .map(pick)
      .filter((record) => record !== null)
      .slice(0, left);
    left -= picked.length;
    if (picked.length > 0) yield picked;
    if (left === 0) return false;
  }
  return true;
}
