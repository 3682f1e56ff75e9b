import type { Condition, MatchMode } from '../../parts/conditions/condition';
import { peopleIn, type NamedPerson } from '../../parts/conditions/namedPeople';
import { RecordTest } from '../../parts/conditions/recordTest';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../application/session';
import { peopleInFilter } from './filter';
import { type RecordQuery, readPages } from './recordPages';
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

  /** People and groups whose names a filter looks for that finds nothing. */
  readonly unfound: NamedPerson[] = [];

  readonly lacks = { id: false, revision: false };

  watch<T extends Readonly<Record<string, unknown>>>(record: T): T {
    if (record.id === null) this.lacks.id = true;
    if (record.revision === null) this.lacks.revision = true;
    return record;
  }

  add({ hidden, readWhole, unfound }: Warnings): void {
    for (const part of hidden) this.hidden.add(part);
    this.unfound.push(...unfound);
    this.readWhole ??= readWhole;
  }
}

/** What is read of each record, in which order, and how many. */
export type CheckedQuery = Omit<RecordQuery, 'filter' | 'first' | 'isProof'>;

/** Records of the first page of a list that may hold enough long before its end. */
const FIRST_OF_MANY = 250;

/**
 * Reads the records of one list, page by page, each once. Parts that only a condition or the order needs come along.
 * @param more parts that the records must hold besides those of the query, if they are not to be searched by keyword
 */
export async function* readChecked(
  app: ApplicationSession,
  { limit, ...query }: CheckedQuery,
  { filter, conditions, match }: CheckedList,
  warnings: Warnings,
  more: readonly Part[] = [],
): AsyncGenerator<RawRecord[]> {
  const test = new RecordTest(conditions, match, query.keyMode);
  // The service searches what it is asked to return (interface.md, "list_data"), these parts, too.
  const listed = { ...query, filter, parts: [...new Set([...query.parts, ...test.parts, ...more])] };
  const isChecked = conditions.length > 0;
  const few = limit === undefined ? {} : { first: Math.max(limit, FIRST_OF_MANY) };
  const pages = readPages(app, { ...listed, ...(isChecked ? few : { limit }) });
  let left = limit ?? Infinity;
  let isEmpty = true;
  try {
    for await (const page of pages) {
      const met = page.filter((record) => test.meets(record)).slice(0, left);
      left -= met.length;
      isEmpty &&= met.length === 0;
      if (met.length > 0) yield met;
      if (left === 0) return;
    }
  } finally {
    for (const part of test.hidden) warnings.hidden.add(part);
  }
  if (isChecked && filter === undefined && query.keyword === undefined) warnings.readWhole ??= match;
  if (isEmpty) warnings.unfound.push(...namedIn(app, { filter, conditions }));
}

/** The people and groups that narrow a list by their names. */
export function namedIn(
  { application }: ApplicationSession,
  { filter, conditions }: Pick<CheckedList, 'filter' | 'conditions'>,
): readonly NamedPerson[] {
  return [...peopleInFilter(filter, application.parts), ...peopleIn(conditions)];
}
