import type { DataRecord, RecordHead } from '../storage/records.ts';
import type { Storage } from '../storage/storage.ts';
import { compareKeys, type Query } from './query.ts';

/** Which page of what a query finds is wanted. */
export interface Wanted {
  readonly offset: number;
  readonly limit: number;
  /** Nothing but ids and revisions will be looked at. */
  readonly headsOnly: boolean;
}

/** Finds a page of records. */
export function findRecords(
  storage: Storage,
  application: number,
  query: Query,
  { offset, limit, headsOnly }: Wanted,
): DataRecord[] {
  const { records } = storage;
  if (!query.passes && !query.order) {
    if (headsOnly && query.uniform) return records.heads(application, offset, limit).map(withoutValues);
    return records.page(application, offset, limit);
  }
  const ids = query.order ? sortedIds(storage, application, query) : passingIds(storage, application, query);
  return ids
    .slice(offset, offset + limit)
    .map((id) => records.get(application, id))
    .filter((record) => record !== undefined);
}

/** How many records a query finds. */
export function countRecords(storage: Storage, application: number, query: Query): number {
  if (!query.passes) return storage.records.count(application);
  return passingIds(storage, application, query).length;
}

function passingIds(storage: Storage, application: number, { passes }: Query): number[] {
  const ids: number[] = [];
  for (const record of storage.records.each(application)) {
    if (!passes || passes(record)) ids.push(record.id);
  }
  return ids;
}

function sortedIds(storage: Storage, application: number, { passes, order }: Query): number[] {
  const found: { id: number; key: string | number | undefined }[] = [];
  for (const record of storage.records.each(application)) {
    if (!passes || passes(record)) found.push({ id: record.id, key: order?.key(record) });
  }
  const direction = order?.descending ? -1 : 1;
  found.sort((one, other) => direction * compareKeys(one.key, other.key) || one.id - other.id);
  return found.map(({ id }) => id);
}

/** A record of which only id and revision are known. */
function withoutValues({ id, revision }: RecordHead): DataRecord {
  return { id, revision, createdAt: '', createdBy: '', updatedAt: '', updatedBy: '', values: {} };
}
