import { codecOf } from '../../parts/codecs';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { asPartValue, errorOf } from '../../parts/types/partValue';
import { isObject, parseJson, type SimplifiedValue } from '../../parts/values/shapes';
import { hashText } from '../state/hash';
import type { RawRecord } from '../../service/read/recordList';

/** The watched parts in a head. */
export interface WatchedValues {
  /** All of them in one text; `null` if one cannot be read while another application is under maintenance. */
  readonly hash: number | null;
  readonly values?: readonly string[] | undefined;
}

/** A part whose value comes from an application that is under maintenance. The value will come back later. */
const MAINTENANCE = 'under_maintenance';

/**
 * Reads the meaning of the watched parts: which person or file it is, not how the service writes it. So a renamed user or
 * a new address of a file is not a change.
 * @param keeps whether the values are wanted in addition to the hash.
 */
export function watchedReader(
  watched: readonly Part[],
  keyMode: KeyMode,
  keeps: boolean,
): (record: RawRecord) => WatchedValues {
  const columns = watched.map((part) => ({ part, key: partKey(part, keyMode), codec: codecOf(part) }));
  return (record) => {
    let isWhole = true;
    const values: string[] = [];
    let hash = 0;
    for (const { part, key, codec } of columns) {
      const value = asPartValue(record[key]);
      const error = errorOf(value, part);
      if (error === MAINTENANCE) isWhole = false;
      const kept = error === '' ? keptValue(part, codec.read(value, part, keyMode), keyMode) : null;
      if (keeps) values.push(error === '' ? JSON.stringify(kept) : '');
      hash ^= hashOfPart(part, error === '' ? meaning(part, kept, keyMode) : error);
    }
    const whole = isWhole ? hash >>> 0 : null;
    return keeps ? { hash: whole, values } : { hash: whole };
  };
}

/**
 * Whether two kept values have different meanings. False if one of them is unknown.
 * @param before JSON of a kept value; empty if unknown.
 */
export function isChanged(
  part: Part,
  before: string | undefined,
  after: string | undefined,
  keyMode: KeyMode,
): boolean {
  if (!before || !after || before === after) return false;
  const [one, other] = [before, after].map((text) => meaning(part, parseJson(text), keyMode));
  return JSON.stringify(one) !== JSON.stringify(other);
}

/**
 * Hash of the kept values of watched parts. Each part has its own share in it, so the known values of some parts show
 * the share of the others.
 * @param values JSON by part; empty ones have no share.
 */
export function hashOfValues(watched: readonly Part[], values: readonly string[], keyMode: KeyMode): number {
  return watched.reduce((hash, part, index) => {
    const value = values[index];
    return value ? hash ^ hashOfPart(part, meaning(part, parseJson(value), keyMode)) : hash;
  }, 0);
}

function hashOfPart({ id }: Part, means: unknown): number {
  return hashText(`${id}:${JSON.stringify(means)}`);
}

/** What is kept of a simplified value: enough for a person to read, and nothing that changes on its own. */
function keptValue(part: Part, value: unknown, keyMode: KeyMode): SimplifiedValue {
  if (!Array.isArray(value)) return value as SimplifiedValue;
  return (value as unknown[]).map((each) => {
    if (!isObject(each)) return each;
    if (part.type === 'files') return pick(each, ['id', 'name', 'size']);
    if (isMember(part)) return pick(each, ['id', 'name']);
    const cells = childKeys(part, keyMode).map(([child, key]) => [key, keptValue(child, each[key], keyMode)]);
    return { ...pick(each, ['id']), ...(Object.fromEntries(cells) as object) };
  });
}

/** The meaning of a kept value, in a form that can be compared. The order of several choices does not matter. */
function meaning(part: Part, value: unknown, keyMode: KeyMode): unknown {
  if (!Array.isArray(value)) return value ?? null;
  const meanings = (value as unknown[]).map((each) => {
    if (!isObject(each)) return each;
    if (isMember(part)) return each.id;
    const children = childKeys(part, keyMode);
    return children.length === 0
      ? each
      : [each.id, ...children.map(([child, key]) => meaning(child, each[key], keyMode))];
  });
  return part.children.length === 0 ? meanings.sort() : meanings;
}

function isMember({ type }: Part): boolean {
  return type === 'users' || type === 'groups' || type === 'user';
}

function childKeys(part: Part, keyMode: KeyMode): [Part, string][] {
  return part.children.map((child) => [child, outputKey(partKey(child, keyMode))]);
}

function pick(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
}
