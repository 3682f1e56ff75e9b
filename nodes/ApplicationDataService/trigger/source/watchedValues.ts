import { codecOf } from '../../parts/codecs';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { asPartValue, errorOf } from '../../parts/types/partValue';
import { isObject, parseJson, type SimplifiedValue } from '../../parts/values/shapes';
import type { RawRecord } from '../../service/read/records';
import { hashText } from '../state/hash';

/** What of the watched parts a head holds. */
export interface WatchedValues {
  /** What all of them mean together; `null` where one cannot be read as long as another application is under maintenance. */
  readonly hash: number | null;
  readonly values?: readonly string[] | undefined;
}

/** A part whose value comes from an application that is under maintenance: it will be back as it was, or changed. */
const MAINTENANCE = 'under_maintenance';

/**
 * Reads the watched parts as what they mean: who and which file it is, not how the service writes that. So a renamed user or
 * a file's other address is no change.
 * @param keeps whether the values are wanted besides the hash.
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
 * Whether a value as it was kept means something else than another one; not where one of them is not known.
 * @param before JSON of a kept value; empty where it is not known.
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
 * Hash of the values of watched parts as they were kept. Each part has its share in it, so that what is known of some tells
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

/** What is kept of a simplified value: enough to read well, and nothing that changes by itself. */
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

/** What a kept value means, in a form to compare. The order of several choices means nothing. */
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
