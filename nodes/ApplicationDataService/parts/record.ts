import type { IDataObject } from 'n8n-workflow';

import { codecOf } from './codecs';
import { readInteger } from './values/decimal';
import { detectKeyMode } from './model/detectKeyMode';
import { possibleKeys } from './model/keys';
import { ownIdPart } from './model/lookup';
import { EntryReader, keyIn, type RawEntry } from './types/entries';
import type { KeyMode, Part } from './model/part';
import { isObject } from './values/shapes';
import { readFlag, readText } from './values/wire';

export {
  encodeValue,
  encodeValues,
  type EncodedPart,
  type EncodedValues,
  type EncodeOptions,
} from './encode';
export { detectKeyMode } from './model/detectKeyMode';

/**
 * A record as an item holds it, in the order of parameters.md ("Order of keys"): `id`, one key a part with the service's
 * own parts last, then the others of these keys.
 */
export type SimplifiedRecord = IDataObject & {
  /** `null` where neither the record nor the caller knows it. */
  id: string | null;
  revision: number | null;
  canWrite?: boolean;
  canDelete?: boolean;
  /** Error code or hint by part key, of parts that have no key of their own for it. */
  partErrors?: IDataObject;
};

export interface RecordReadOptions {
  /** `null` or absent: found out from the records. */
  readonly keyMode?: KeyMode | null;
  /** False where reference lists were not loaded, so that they have no key. Default true. */
  readonly referenceListsLoaded?: boolean;
}

/** The key of a record's rights; its backslash may come once, twice or not at all (service-facts). */
const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'] as const;

/** Reads one record; `id` is its id as the caller knows it, used where the record does not carry it. Never throws. */
export type RecordReader = (rawRecord: unknown, id?: string) => SimplifiedRecord;

/**
 * A reader for many records of one application. Where the key mode is not known, the first record whose keys show it
 * decides for all that follow.
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
  const unloaded = referenceListsLoaded === false ? parts.filter((part) => part.type === 'rel_list') : [];
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

/** A reference part bears the flag of its source: it is one of the application's own all the same. */
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
  const text = readText(valOf(value));
  return text === '' ? (id ?? null) : text;
}

function valOf(value: unknown): unknown {
  return isObject(value) ? value.val : value;
}

/** Whether the value under `revision` is the record's revision rather than a part of that name: it denies writing. */
function isRevision(value: unknown): boolean {
  return isObject(value) && readFlag(value.deny_write) && readInteger(value.val) !== null;
}

interface Permissions {
  readonly key: string;
  readonly rights: Readonly<Record<string, unknown>>;
}

function permissionsOf(raw: RawEntry): Permissions | null {
  for (const key of PERMISSION_KEYS) {
    const rights = Object.hasOwn(raw, key) ? raw[key] : undefined;
    // A part may be called `permissions`, too; its value never holds these keys.
    if (isObject(rights) && ('allow_write' in rights || 'allow_delete' in rights)) return { key, rights };
  }
  return null;
}

function addRights(record: IDataObject, rights: Readonly<Record<string, unknown>>): void {
  if (rights.allow_write !== undefined) record.canWrite = readFlag(rights.allow_write);
  if (rights.allow_delete !== undefined) record.canDelete = readFlag(rights.allow_delete);
}
