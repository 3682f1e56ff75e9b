import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Storage } from '../../storage/storage.ts';
import { compareKeys, type Order, type Query } from './query.ts';

/** Finds a page of records. */
export function findRecords(
  storage: Storage,
  application: number,
  query: Query,
  { offset, limit }: { offset: number; limit: number },
): DataRecord[] {
  const { records } = storage;
  if (limit === 0) return [];
  if (query.from !== undefined && !query.order) {
    return records.page(application, records.before(application, query.from) + offset, limit);
  }
  const found: DataRecord[] = [];
  let passed = 0;
  for (const record of candidates(storage, application, query, offset + limit)) {
    if (query.passes && !query.passes(record)) continue;
    if (passed++ >= offset) found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

/** How many records a query finds. */
export function countRecords(storage: Storage, application: number, { passes, selection }: Query): number {
  if (!passes) return storage.records.count(application);
  let count = 0;
  for (const record of storage.records.each(application, selection)) if (passes(record)) count++;
  return count;
}

/** Records that may match, in the requested order. */
function candidates(
  storage: Storage,
  application: number,
  query: Query,
  wanted: number,
): Iterable<DataRecord> {
  const { records } = storage;
  const { order, selection, passes } = query;
  if (!order) return records.each(application, selection);
  if (order.sql) {
    return records.eachOrdered(application, selection, order.sql, passes ? Number.MAX_SAFE_INTEGER : wanted);
  }
  return sorted(records.each(application, selection), order, query, (id) => records.get(application, id));
}

/** Sorts by a key that SQL does not know. Only ids and keys are kept in memory, not the records. */
function* sorted(
  all: Iterable<DataRecord>,
  order: Order,
  { passes }: Query,
  get: (id: number) => DataRecord | undefined,
): Iterable<DataRecord> {
  const found: { id: number; key: string | number | undefined }[] = [];
  for (const record of all) {
    if (!passes || passes(record)) found.push({ id: record.id, key: order.key(record) });
  }
  const direction = order.descending ? -1 : 1;
  found.sort((one, other) => direction * compareKeys(one.key, other.key) || one.id - other.id);
  for (const { id } of found) {
    const record = get(id);
    if (record) yield record;
  }
}
