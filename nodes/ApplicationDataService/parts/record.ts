import type { IDataObject } from 'n8n-workflow';

import { codecOf } from './codecs';
import { possibleKeys } from './model/keys';
import { detectKeyMode } from './model/lookup';
import { ownIdPart } from './types/id';
import type { KeyMode, Part } from './model/part';
import { EntryReader, keyIn, type RawEntry } from './types/entries';
import { readInteger } from './values/decimal';
import { isObject, ownValue, readFlag, readText, valOf } from './values/shapes';

/**
 * A record as an item contains it, in the order of parameters.md ("Order of keys"): `id`, one key per part with the
 * service's own parts last, then the others of these keys.
 */
export type SimplifiedRecord = IDataObject & {
  /** `null` if neither the record nor the caller knows it. */
  id: string | null;
  revision: number | null;
  canWrite?: boolean;
  canDelete?: boolean;
  /** Error code or hint by part key. These parts have no key of their own in the record. */
  partErrors?: IDataObject;
};

interface RecordReadOptions {
  /** `null` or absent: detected from the records. */
  readonly keyMode?: KeyMode | null;
  /** False where reference lists were not loaded, so that they have no key. Default true. */
  readonly referenceListsLoaded?: boolean;
}

/** The key of a record's permissions, with one, two or no backslashes (service-facts). */
const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'] as const;

/** Reads one record. `id` is the ID that the caller knows, used if the record does not contain it. Never throws. */
export type RecordReader = (rawRecord: unknown, id?: string) => SimplifiedRecord;

/**
 * A reader for many records of one application. If the key mode is unknown, the first record that shows it
 * decides for all following ones.
 */
export function recordReader(parts: readonly Part[], options: RecordReadOptions = {}): RecordReader {
  let mode = options.keyMode ?? null;
  let read = readerIn(mode, parts, options);
  return (rawRecord, id) => {
    const raw: RawEntry = isObject(rawRecord) ? rawRecord : {};
    if (mode === null) {
      mode = detectKeyMode(raw, parts);
      if (mode !== null) read = readerIn(mode, parts, options);
    }
    return read(raw, id);
  };
}

function readerIn(
  mode: KeyMode | null,
  parts: readonly Part[],
  { referenceListsLoaded }: RecordReadOptions,
): (raw: RawEntry, id?: string) => SimplifiedRecord {
  const entries = new EntryReader(ownPartsFirst(parts), codecOf, mode);
  const ownId = ownIdPart(parts);
  const idKeys = ownId === null ? [] : possibleKeys(ownId, mode);
  const unloaded =
    referenceListsLoaded === false ? parts.filter((part) => codecOf(part).holds === 'references') : [];
  const unloadedKeys = unloaded.map((part) => possibleKeys(part, mode));
  const hasRevisionPart = parts.some((part) => possibleKeys(part, mode).includes('revision'));
  return (raw, id) => {
    const idKey = keyIn(raw, idKeys);
    const revisionKey = hasRevisionPart && !isRevision(raw.revision) ? null : keyIn(raw, ['revision']);
    const permissions = permissionsOf(raw);
    const head = { id: knownId(idKey === null ? undefined : raw[idKey], id) };
    const tail: IDataObject = {
      revision: revisionKey === null ? null : readInteger(valOf(raw[revisionKey])),
    };
    if (permissions !== null) addRights(tail, permissions.rights);
    const elsewhere: string[] = [];
    if (idKey !== null) elsewhere.push(idKey);
    if (revisionKey !== null && revisionKey !== idKey) elsewhere.push(revisionKey);
    if (permissions !== null && permissions.key !== idKey) elsewhere.push(permissions.key);
    for (const keys of unloadedKeys) {
      const key = keyIn(raw, keys);
      if (key !== null && !elsewhere.includes(key)) elsewhere.push(key);
    }
    return entries.read(raw, head, elsewhere, tail) as SimplifiedRecord;
  };
}

/** A reference part has the flag of its source, but is one of the application's own parts. */
function ownPartsFirst(parts: readonly Part[]): readonly Part[] {
  const isOwn = (part: Part): boolean => part.reference || !part.system;
  return [...parts.filter(isOwn), ...parts.filter((part) => !isOwn(part))];
}

/** One record, simplified; `recordReader` is for many. */
export function simplifyRecord(
  rawRecord: unknown,
  parts: readonly Part[],
  options: RecordReadOptions & { readonly id?: string } = {},
): SimplifiedRecord {
  return recordReader(parts, options)(rawRecord, options.id);
}

/** The id in the record, else the one the caller knows. */
function knownId(value: unknown, id: string | undefined): string | null {
  return (readText(valOf(value)) || id) ?? null;
}

/**
 * Whether the value under `revision` is the record's revision, which denies writing, rather than a part of that name.
 */
export function isRevision(value: unknown): boolean {
  return isObject(value) && readFlag(value.deny_write) && readInteger(value.val) !== null;
}

function permissionsOf(raw: RawEntry): { readonly key: string; readonly rights: RawEntry } | null {
  for (const key of PERMISSION_KEYS) {
    const rights = ownValue(raw, key);
    // A part may also be called `permissions`, but its value never contains these keys.
    if (isObject(rights) && ('allow_write' in rights || 'allow_delete' in rights)) return { key, rights };
  }
  return null;
}

function addRights(record: IDataObject, { allow_write: write, allow_delete: remove }: RawEntry): void {
  if (write !== undefined) record.canWrite = readFlag(write);
  if (remove !== undefined) record.canDelete = readFlag(remove);
}
