import { orderRecords } from '../../parts/conditions/values';
import { partKey } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import { listedIdPart } from '../../parts/types/id';
import type { ApplicationSession } from '../application/session';

import { namedIn, readChecked, type CheckedList, type CheckedQuery, type Warnings } from './checkedList';
import { countRecords, readId, withoutId } from './records';
import type { RawRecord } from './recordList';

/** Which records are meant: those of one list, or of several, each record once. */
export interface Selection extends CheckedQuery {
  readonly lists: readonly [CheckedList, ...CheckedList[]];
}

const SLICE_LENGTH = 500;

/**
 * Reads the records of a selection. Several lists are joined by record ID, then sorted and limited (parameters.md,
 * Settled questions): they are held in memory until the last one was read.
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
  const { keyMode, limit, sort } = query;
  const { parts } = app.application;
  const idPart = listedIdPart(parts, keyMode);
  const idKey = partKey(idPart, keyMode);
  const idOf = (record: RawRecord): string => {
    const id = readId(record, idKey);
    if (id !== null) return id;
    const advice = ', or select "All Conditions" under Must Match';
    throw withoutId('records that meet any of the filters cannot be joined', advice);
  };
  if (sort !== undefined) assertReadable(sort.part, parts, keyMode);
  // Lists come by ID, so the first records of each are enough. Another order is the node's own, of all records.
  const each = sort === undefined ? query : { ...query, sort: undefined, limit: undefined };
  const joined = new Map<string, RawRecord>();
  for (const one of lists) {
    for await (const page of readChecked(app, each, one, warnings, sort === undefined ? [] : [sort.part]))
      for (const record of page) joined.set(idOf(record), record);
  }
  const order = sort ?? { part: idPart, order: 'asc' };
  const ordered = orderRecords([...joined.values()], order, keyMode, idOf).slice(0, limit);
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
