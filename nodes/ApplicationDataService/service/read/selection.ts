import type { Condition, MatchMode } from '../../parts/conditions/condition';
import { type SortPlace, recordOrder, RecordTest } from '../../parts/conditions/recordTest';
import { partKey } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import type { Part } from '../../parts/model/part';
import { listedIdPart } from '../../parts/types/id';
import { IdSet } from '../../util/ids';
import type { ApplicationSession } from '../application/session';
import { MAX_LIST_LENGTH } from '../http/client';
import { inSlices } from './paging';
import { countRecords, lacksId, type RawRecord, readId, readPages, type RecordQuery } from './recordList';

export interface CheckedList {
  readonly filter?: string | undefined;
  readonly conditions: readonly Condition[];
  readonly match: MatchMode;
}

export class Warnings {
  readonly hidden = new Set<Part>();
  readonly lacks = { id: false, revision: false };

  watch<T extends Readonly<Record<string, unknown>>>(record: T): T {
    if (record.id === null) this.lacks.id = true;
    if (record.revision === null) this.lacks.revision = true;
    return record;
  }
}

type CheckedQuery = Omit<RecordQuery, 'filter' | 'isProof'>;

export interface Selection extends CheckedQuery {
  readonly lists: readonly [CheckedList, ...CheckedList[]];
}

const ADVICE = ', or select "All Conditions" under Must Match';
/** Records of the first page of a list that may hold enough long before its end. */
const FIRST_OF_MANY = 250;

/** The records of one list, each once. Parts for conditions come along: they are searched for a keyword, too. */
async function* readChecked(
  app: ApplicationSession,
  { limit, ...query }: CheckedQuery,
  { filter, conditions, match }: CheckedList,
  warnings: Warnings,
): AsyncGenerator<RawRecord[], void> {
  const test = new RecordTest(conditions, match, query.keyMode);
  const listed = { ...query, filter, parts: [...new Set([...query.parts, ...test.parts])] };
  const isChecked = conditions.length > 0;
  let left = limit ?? Infinity;
  const few = isChecked ? { first: Math.max(left, FIRST_OF_MANY) } : { limit };
  const pages = readPages(app, { ...listed, ...(limit !== undefined && few) });
  try {
    for await (const page of pages) {
      const met = page.filter((record) => test.meets(record)).slice(0, left);
      left -= met.length;
      if (met.length > 0) yield met;
      if (left === 0) return;
    }
  } finally {
    for (const part of test.hidden) warnings.hidden.add(part);
  }
}

/** The records of a selection: several lists are joined by ID, and sorted in memory. @throws UserError without IDs */
export async function* readSelection(
  app: ApplicationSession,
  { lists, ...query }: Selection,
  warnings: Warnings,
): AsyncGenerator<readonly RawRecord[]> {
  const [list, ...others] = lists;
  if (others.length === 0) return yield* readChecked(app, query, list, warnings);
  const { keyMode, limit, sort } = query;
  const { parts } = app.application;
  const idPart = listedIdPart(parts, keyMode);
  const idKey = partKey(idPart, keyMode);
  if (sort !== undefined) assertReadable(sort.part, parts, keyMode);
  // Lists come by ID, so the first records of each are enough. Another order is the node's own, of all records.
  const each =
    sort === undefined
      ? { ...query, first: MAX_LIST_LENGTH }
      : { keyMode, keyword: query.keyword, parts: [...query.parts, sort.part] };
  const order = recordOrder(sort?.part ?? idPart, sort?.order ?? 'asc', keyMode);
  const placed = async function* (one: CheckedList): AsyncGenerator<SortPlace<RawRecord>[]> {
    for await (const slice of readChecked(app, each, one, warnings))
      yield slice.map((record) => {
        const id = readId(record, idKey);
        if (id === null) throw lacksId('records that meet any of the filters cannot be joined', ADVICE);
        return order.place(record, id);
      });
  };
  const joinedLists = sort === undefined ? inStep : inOrder;
  let left = limit ?? Infinity;
  for await (const slice of joinedLists(lists.map(placed), (one, other) => order.compare(one, other))) {
    yield slice.slice(0, left).map(({ record }) => record);
    left -= slice.length;
    if (left <= 0) return;
  }
}

type PlacedList = AsyncGenerator<SortPlace<RawRecord>[]>;
type Compare = (one: SortPlace<unknown>, other: SortPlace<unknown>) => number;

/** Lists in the order of their IDs as one: what comes before the last entry of each list is complete, and not held. */
async function* inStep(lists: readonly PlacedList[], compare: Compare): PlacedList {
  const joined = new IdSet();
  const open = lists.map((list) => ({ list, last: null as SortPlace<RawRecord> | null }));
  let held: SortPlace<RawRecord>[] = [];
  const isOpen = (entry: SortPlace<RawRecord>): boolean =>
    open.some(({ last }) => last === null || compare(entry, last) > 0);
  try {
    while (open.length > 0) {
      const behind =
        open.find(({ last }) => last === null) ??
        open.reduce((least, each) => (compare(each.last!, least.last!) < 0 ? each : least));
      const slice = await behind.list.next();
      if (slice.done === true) open.splice(open.indexOf(behind), 1);
      else {
        behind.last = slice.value.at(-1) ?? null;
        held.push(...slice.value);
      }
      const complete = held.filter((entry) => !isOpen(entry)).sort(compare);
      held = held.filter(isOpen);
      yield* inSlices(complete.filter(({ id }) => joined.add(id)));
    }
  } finally {
    for (const { list } of open) await list.return(undefined);
  }
}

/** Lists as one in any order: sorted once all are read. */
async function* inOrder(lists: readonly PlacedList[], compare: Compare): PlacedList {
  const joined = new IdSet();
  const slices: SortPlace<RawRecord>[][] = [];
  for (const list of lists)
    for await (const slice of list) slices.push(slice.filter(({ id }) => joined.add(id)).sort(compare));
  yield* inSlices(merged(slices, compare));
}

/** Sorted lists as one, entry by entry: sorting all entries at once would keep others waiting. */
function* merged<T>(lists: readonly (readonly T[])[], compare: (one: T, other: T) => number): Generator<T> {
  if (lists.length < 2) return yield* lists[0] ?? [];
  const half = lists.length >> 1;
  const left = merged(lists.slice(0, half), compare);
  const right = merged(lists.slice(half), compare);
  let one = left.next();
  let other = right.next();
  for (;;) {
    const isLeft = other.done === true || (one.done !== true && compare(one.value, other.value) <= 0);
    const next = isLeft ? one : other;
    if (next.done === true) return;
    yield next.value;
    if (isLeft) one = left.next();
    else other = right.next();
  }
}

/** How many records a selection has: the service counts them, unless the node must look at each. */
export async function countSelection(
  app: ApplicationSession,
  selection: Selection,
  warnings: Warnings,
): Promise<number> {
  const [list, ...others] = selection.lists;
  if (others.length === 0 && list.conditions.length === 0)
    return await countRecords(app, { ...selection, filter: list.filter });
  let count = 0;
  for await (const page of readSelection(app, selection, warnings)) count += page.length;
  return count;
}
