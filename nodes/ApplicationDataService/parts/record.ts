import type { IDataObject } from 'n8n-workflow';

import { possibleKeys } from './model/keys';
import { ownIdPart } from './types/id';
import type { KeyMode, Part } from './model/part';
import { entryReader, keyIn } from './types/entries';
import { readInteger } from './values/decimal';
import { type Entry, isObject, ownValue, readFlag, readOneId, valOf } from './values/shapes';

/** A record as an item contains it, in the order of parameters.md ("Order of keys"). */
export type SimplifiedRecord = IDataObject & {
  id: string | null;
  revision: number | null;
  canWrite?: boolean;
  canDelete?: boolean;
  /** Error code or hint by part key. These parts have no key of their own in the record. */
  partErrors?: IDataObject;
};

interface RecordReadOptions {
  /** `null` or absent if it is not known: each part is looked up by name, then by identifier. */
  readonly keyMode?: KeyMode | null;
  /** False where reference lists were not loaded, so that they have no key. Default true. */
  readonly referenceListsLoaded?: boolean;
}

/** The key of a record's permissions, with one, two or no backslashes (service-facts). */
const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'] as const;

/**
 * A reader for many records of one application. It never throws; `id` is the ID that the caller knows, used if the
 * record does not contain it.
 */
export function recordReader(
  parts: readonly Part[],
  { keyMode: mode = null, referenceListsLoaded = true }: RecordReadOptions = {},
): (rawRecord: unknown, id?: string) => SimplifiedRecord {
  const readEntry = entryReader(ownFirst(parts), mode);
  const keysOf = (part: Part): readonly string[] => possibleKeys(part, mode);
  const ownId = ownIdPart(parts);
  const idKeys = ownId === null ? [] : keysOf(ownId);
  const notLoaded = parts.filter(({ codec }) => codec.content === 'references' && !referenceListsLoaded);
  const notLoadedKeys = notLoaded.flatMap(keysOf);
  const hasRevisionPart = parts.some((part) => keysOf(part).includes('revision'));
  return (rawRecord, id) => {
    const raw: Entry = isObject(rawRecord) ? rawRecord : {};
    const idKey = keyIn(raw, idKeys);
    const revision = revisionIn(raw, hasRevisionPart);
    const revisionKey = hasRevisionPart && revision === null ? null : 'revision';
    // A part may also be called `permissions`, but its value never contains these keys.
    const permissionKey =
      PERMISSION_KEYS.find((key) => {
        const value = ownValue(raw, key);
        return isObject(value) && ('allow_write' in value || 'allow_delete' in value);
      }) ?? null;
    const leftOut = [idKey, revisionKey, permissionKey, ...notLoadedKeys];
    const shownId = idKey === null ? '' : readOneId(valOf(raw[idKey]));
    const { allow_write: write, allow_delete: remove } =
      permissionKey === null ? {} : (raw[permissionKey] as Entry);
    const own: IDataObject = { revision };
    if (write !== undefined) own.canWrite = readFlag(write);
    if (remove !== undefined) own.canDelete = readFlag(remove);
    return readEntry(raw, { id: (shownId || id) ?? null, leftOut, own }) as SimplifiedRecord;
  };
}

/** The application's own parts in its order, then the service's. */
export function ownFirst(parts: readonly Part[]): readonly Part[] {
  // A reference part has the flag of its source, but is one of the application's own parts.
  const isServices = ({ system, reference }: Part): boolean => system && !reference;
  return [...parts.filter((part) => !isServices(part)), ...parts.filter(isServices)];
}

/** The revision that a record shows; `null` for none. @param isPart a part has its key, too, which denies no writing */
export function revisionIn({ revision: value }: Entry, isPart: boolean): number | null {
  if (isPart && !(isObject(value) && readFlag(value.deny_write))) return null;
  const revision = readInteger(valOf(value));
  return revision !== null && revision >= 0 ? revision : null;
}
