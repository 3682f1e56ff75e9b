import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { isRevision } from '../../parts/record';
import { asPartValue, errorOf } from '../../parts/types/entries';
import { readInteger } from '../../parts/values/decimal';
import { isObject, parseJson, readText, type SimplifiedValue, valOf } from '../../parts/values/shapes';
import { ServiceError } from '../../service/http/errors';
import type { RawRecord } from '../../service/read/recordList';
import { hashText } from '../../util/hashText';
import { UserError } from '../../util/userError';
import type { RecordVersion } from '../poll/context';
import { idNumber } from '../state/ids';
import { comparedParts, idPart, type Watch } from './watch';

/** A part whose value comes from an application that is under maintenance. The value will come back later. */
const MAINTENANCE = 'under_maintenance';

const NOT_WATCHED = { hashes: [] };

/**
 * Reads what is compared of a record, a million of them in about a second.
 * @param isJoint whether the state has one hash for all watched parts of a record.
 * @param isFresh whether the part definitions were just read.
 */
export function versionReader(
  watch: Watch,
  isJoint: boolean,
  isFresh: boolean,
): (record: RawRecord) => RecordVersion<RawRecord> {
  const { watched, keyMode, test } = watch;
  const part = idPart(watch);
  const idKey = partKey(part, keyMode);
  const read = watched.length === 0 ? () => NOT_WATCHED : watchedReader(watch, isJoint);
  const revisionIsPart = watch.parts.some((each) => partKey(each, keyMode) === 'revision');
  const keys = comparedParts(watch).map((each) => partKey(each, keyMode));
  return (record) => {
    const id = idOf(record, idKey);
    // The poll then begins again with the part definitions of now.
    if (!isFresh && !keys.every((key) => Object.hasOwn(record, key)))
      throw new UserError(
        `Record ${id} lacks a watched part: the parts of the application were changed`,
        'The next poll reads them again.',
      );
    const revision = revisionOf(record.revision, revisionIsPart);
    if (revision === null)
      throw new ServiceError(
        'settings',
        'The records have no revision, so changes cannot be seen',
        'Ask the administrator of the service whether revisions can be read with this access key.',
      );
    const version = { id, revision, updated: '', ...read(record) };
    return test === null || test.meets(record) ? version : { ...version, isOut: true };
  };
}

/** The ID of a record. @throws UserError if it has none, or one that is not a whole number. */
function idOf(record: RawRecord, idKey: string): string {
  const id = readText(valOf(record[idKey]));
  if (idNumber(id) >= 0) return id;
  if (id !== '')
    throw new UserError(
      `The record ID "${id}" is not a whole number: the trigger cannot watch such records`,
      'Check which part is the ID part of the application.',
    );
  throw new UserError(
    'The records in the list have no ID',
    "Make the ID part readable for this access key, and give it an identifier in the application's settings.",
  );
}

/** A part may also be called `revision`. */
function revisionOf(value: unknown, revisionIsPart: boolean): number | null {
  if (revisionIsPart && !isRevision(value)) return null;
  const text = valOf(value);
  const plain = typeof text === 'string' ? idNumber(text) : -1;
  const revision = plain >= 0 ? plain : readInteger(text);
  return revision !== null && revision >= 0 ? revision : null;
}

/**
 * Reads the meaning of the watched parts: which person or file it is, not how the service writes it. So a renamed user
 * or a new address of a file is not a change.
 */
function watchedReader(
  { watched, keyMode, keepsValues }: Watch,
  isJoint: boolean,
): (record: RawRecord) => Pick<RecordVersion, 'hashes' | 'values'> {
  const columns = watched.map((part) => ({ part, key: partKey(part, keyMode), codec: part.codec }));
  return (record) => {
    const kept = columns.map(({ part, key, codec }): Kept => {
      if (!Object.hasOwn(record, key)) return { part, error: MAINTENANCE, value: null };
      const value = asPartValue(record[key]);
      const error = errorOf(value, part);
      if (error !== '') return { part, error, value: null };
      const read = codec.read(value, part, keyMode);
      return { part, error: hidesCell(read) ? MAINTENANCE : '', value: keptValue(part, read, keyMode) };
    });
    return {
      hashes: isJoint ? [hashOfAll(kept, keyMode)] : kept.map((each) => hashOf(each, keyMode)),
      ...(keepsValues && {
        values: kept.map(({ error, value }) => (error === '' ? JSON.stringify(value) : '')),
      }),
    };
  };
}

interface Kept {
  readonly part: Part;
  readonly error: string;
  readonly value: SimplifiedValue;
}

/** 32 bits of what a part means; 0 if it is in error. */
function hashOf({ part, error, value }: Kept, keyMode: KeyMode): number {
  return error === '' ? hashText(`${part.id}:${JSON.stringify(meaning(part, value, keyMode))}`) : 0;
}

/** One hash for all parts; 0 while an application under maintenance keeps one from being read. */
function hashOfAll(kept: readonly Kept[], keyMode: KeyMode): number {
  if (kept.some(({ error }) => error === MAINTENANCE)) return 0;
  const hashes = kept.map((each) => hashOf(each, keyMode) || hashText(`${each.part.id}:"${each.error}"`));
  return hashes.reduce((one, other) => one ^ other) >>> 0;
}

/** Whether a cell of a table part is in error: then the part cannot be compared. */
function hidesCell(value: unknown): boolean {
  return Array.isArray(value) && value.some((row) => isObject(row) && 'partErrors' in row);
}

/**
 * Whether two kept values have different meanings. False if one of them is unknown.
 * @param before JSON of a kept value; empty if unknown.
 */
export function isChanged(part: Part, before: string, after: string, keyMode: KeyMode): boolean {
  if (before === '' || after === '' || before === after) return false;
  const [one, other] = [before, after].map((text) => meaning(part, parseJson(text), keyMode));
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** What is kept of a simplified value: enough for a person to read, and nothing that changes on its own. */
function keptValue(part: Part, value: unknown, keyMode: KeyMode): SimplifiedValue {
  if (!Array.isArray(value)) return value as SimplifiedValue;
  return (value as unknown[]).map((each) => {
    if (!isObject(each)) return each;
    if (part.codec.content === 'files') return pick(each, ['id', 'name', 'size']);
    if (part.codec.members !== undefined) return pick(each, ['id', 'name']);
    const cells = childKeys(part, keyMode).map(([child, key]) => [key, keptValue(child, each[key], keyMode)]);
    return { ...pick(each, ['id']), ...(Object.fromEntries(cells) as object) };
  });
}

/**
 * The meaning of a kept value, in a form that can be compared. The order of several choices does not matter; nor does a
 * column of a table part where it is empty, so that a new one is no change.
 */
function meaning(part: Part, value: unknown, keyMode: KeyMode): unknown {
  if (!Array.isArray(value)) return value ?? null;
  const children = childKeys(part, keyMode).sort(([one], [other]) => (one.id < other.id ? -1 : 1));
  const meanings = (value as unknown[]).map((each) => {
    if (!isObject(each)) return each;
    if (part.codec.members !== undefined) return each.id;
    if (children.length === 0) return JSON.stringify(each);
    const cells = children.map(([child, key]) => [child.id, meaning(child, each[key], keyMode)]);
    return [each.id, ...cells.filter(([, cell]) => !isEmpty(cell))];
  });
  return part.children.length === 0 ? meanings.sort() : meanings;
}

function isEmpty(cell: unknown): boolean {
  return cell === null || (Array.isArray(cell) && cell.length === 0);
}

function childKeys(part: Part, keyMode: KeyMode): [Part, string][] {
  return part.children.map((child) => [child, outputKey(partKey(child, keyMode))]);
}

function pick(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
}
