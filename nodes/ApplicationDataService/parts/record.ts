import type { IDataObject } from 'n8n-workflow';

import { codecOf } from './codecs';
import { readInteger } from './values/decimal';
import { EntryReader, type RawEntry } from './types/entries';
import { ownIdPart } from './model/lookup';
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
export { detectKeyMode } from './model/keyMode';

/** A record as an item holds it (design.md, Output): these keys, then one a part, then `partErrors`. */
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
  /** `null` or absent: found out from each record. */
  readonly keyMode?: KeyMode | null;
  /** False where reference lists were not loaded, so that they have no key. Default true. */
  readonly referenceListsLoaded?: boolean;
}

/** The key of a record's rights; its backslash may come once, twice or not at all (service-facts). */
const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'] as const;

/**
 * A reader of records of one application, for many of them. `id` is the record's id as the caller knows it, used where
 * the record does not carry it. Never throws.
 */
export function recordReader(
  parts: readonly Part[],
  options: RecordReadOptions = {},
): (rawRecord: unknown, id?: string) => SimplifiedRecord {
  const entries = new EntryReader(parts, codecOf);
  const ownId = ownIdPart(parts);
  const unloaded =
    options.referenceListsLoaded === false ? parts.filter((part) => part.type === 'rel_list') : [];
  const hasRevisionPart = parts.some((part) => part.name === 'revision' || part.identifier === 'revision');
  return (rawRecord, id) => {
    const raw: RawEntry = isObject(rawRecord) ? rawRecord : {};
    const idKey = ownId === null ? null : entries.keyOf(raw, ownId);
    const revisionKey = hasRevisionPart && !isRevision(raw.revision) ? null : ownKey(raw, 'revision');
    const permissions = permissionsOf(raw);
    const head: SimplifiedRecord = {
      id: knownId(idKey === null ? undefined : raw[idKey], id),
      revision: revisionKey === null ? null : readInteger(valOf(raw[revisionKey])),
    };
    if (permissions !== null) addRights(head, permissions.rights);
    const listKeys = unloaded.map((part) => entries.keyOf(raw, part));
    const elsewhere = [idKey, revisionKey, permissions?.key, ...listKeys].filter(
      (key) => typeof key === 'string',
    );
    return entries.read(raw, head, new Set(elsewhere), options.keyMode) as SimplifiedRecord;
  };
}

function ownKey(raw: RawEntry, key: string): string | null {
  return Object.hasOwn(raw, key) ? key : null;
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

function addRights(record: SimplifiedRecord, rights: Readonly<Record<string, unknown>>): void {
  if (rights.allow_write !== undefined) record.canWrite = readFlag(rights.allow_write);
  if (rights.allow_delete !== undefined) record.canDelete = readFlag(rights.allow_delete);
}
