import { compareAnyIds, orderRecords } from '../../parts/conditions/order';
import { partKey } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import { listedIdPart } from '../../parts/types/id';
import { IdSet } from '../../util/idSet';
import type { ApplicationSession } from '../application/session';

import { namedIn, readChecked, type CheckedList, type CheckedQuery, type Warnings } from './checkedList';
import { countRecords, readId, withoutId } from './records';
import type { RawRecord } from './recordList';

/** Which records are meant: those of one list, or of several, each record once. */
export interface Selection extends CheckedQuery {
  readonly lists: readonly [CheckedList, ...CheckedList[]];
}

/** Records given at once of those that several lists were joined to. */
const SLICE_LENGTH = 500;

/**
 * Reads the records of a selection. Several lists are joined by record ID, then sorted and limited (parameters.md,
 * Settled questions); without an order they come by ID, and only as much of each list is held as the next records need.
 * @throws UserError if lists must be joined, and carry no record ids.
 */
export async function* readSelection(
  app: ApplicationSession,
  { lists, ...query }: Selection,
  warnings: Warnings,
): AsyncGenerator<readonly RawRecord[]> {
  const [list, ...others] = lists;
  if (others.length === 0) {
    yield* readChecked(app, query, list, warnings);
    return;
  }
  const idKey = partKey(listedIdPart(app.application.parts, query.keyMode), query.keyMode);
  const idOf = (record: RawRecord): string => {
    const id = readId(record, idKey);
    if (id !== null) return id;
    const advice = ', or select "All Conditions" under Must Match';
    throw withoutId('records that meet any of the filters cannot be joined', advice);
  };
  const { sort, limit, ...unsorted } = query;
  if (sort === undefined) {
    const readers = lists.map((each) => readChecked(app, query, each, warnings));
    yield* slices(taking(joinById(readers, idOf), limit));
    return;
  }
  assertReadable(sort.part, app.application.parts, query.keyMode);
  const readers = lists.map((each) => readChecked(app, unsorted, each, warnings, [sort.part]));
  const all: RawRecord[] = [];
  for await (const record of joinById(readers, idOf)) all.push(record);
  const ordered = orderRecords(all, sort, query.keyMode, idOf).slice(0, limit);
  for (let start = 0; start < ordered.length; start += SLICE_LENGTH) {
    yield ordered.slice(start, start + SLICE_LENGTH);
  }
}

/** How many records a selection has: the service counts them, unless the node must look at each. */
export async function countSelection(
  app: ApplicationSession,
  selection: Selection,
  warnings: Warnings,
): Promise<number> {
  const [list, ...others] = selection.lists;
  if (others.length === 0 && list.conditions.length === 0) {
    const all = await countRecords(app, { ...selection, filter: list.filter });
    if (all === 0) warnings.unfound.push(...namedIn(app, list));
    return all;
  }
  let count = 0;
  for await (const page of readSelection(app, selection, warnings)) count += page.length;
  return count;
}

/** One of the lists to join, read as far as it is needed. */
class Reader {
  private page: readonly RawRecord[] = [];

  private next = 0;

  constructor(private readonly pages: AsyncGenerator<RawRecord[]>) {}

  /** The next record; `undefined` at the end. */
  async head(): Promise<RawRecord | undefined> {
    while (this.next >= this.page.length) {
      const read = await this.pages.next();
      if (read.done === true) return undefined;
      this.page = read.value;
      this.next = 0;
    }
    return this.page[this.next];
  }

  take(): void {
    this.next += 1;
  }

  async stop(): Promise<void> {
    await this.pages.return(undefined);
  }
}

/** The records of lists that are ordered by ID, in that order, each once. */
async function* joinById(
  lists: readonly AsyncGenerator<RawRecord[]>[],
  idOf: (record: RawRecord) => string,
): AsyncGenerator<RawRecord> {
  const readers = lists.map((pages) => new Reader(pages));
  const seen = new IdSet();
  try {
    for (;;) {
      let first: { reader: Reader; record: RawRecord; id: string } | undefined;
      for (const reader of readers) {
        const record = await reader.head();
        if (record === undefined) continue;
        const id = idOf(record);
        if (first === undefined || compareAnyIds(id, first.id) < 0) first = { reader, record, id };
      }
      if (first === undefined) return;
      first.reader.take();
      if (seen.add(first.id)) yield first.record;
    }
  } finally {
    for (const reader of readers) await reader.stop();
  }
}

async function* taking<T>(all: AsyncIterable<T>, limit = Infinity): AsyncGenerator<T> {
  let left = limit;
  for await (const each of all) {
    yield each;
    left -= 1;
    if (left <= 0) return;
  }
}

async function* slices<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let slice: T[] = [];
  for await (const each of all) {
    slice.push(each);
    if (slice.length < SLICE_LENGTH) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
