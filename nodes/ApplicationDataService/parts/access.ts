import { codecOf } from './codecs';
import { writeObstacle } from './model/obstacle';
import type { Part } from './model/part';
import { isObject } from './values/shapes';
import { readText } from './values/wire';

/**
 * Whether values of a part may be written at all: not read-only, system or reference, and of a type that is written.
 */
export function isWritable(part: Part): boolean {
  return writeObstacle(part, codecOf(part)) === null;
}

/** Types with values that have names. */
const NAMED: ReadonlySet<string> = new Set(['users', 'groups', 'user', 'files']);

/** Whether the values of a part have names. */
export function hasNames({ type }: Part): boolean {
  return NAMED.has(type);
}

/** The names in a simplified value of people, groups and files. Other values are returned unchanged. */
export function namesInstead(part: Part, value: unknown): unknown {
  if (!hasNames(part) || !Array.isArray(value)) return value;
  return value.map((each: unknown) => (isObject(each) ? readText(each.name) : readText(each))).join(', ');
}

/** A simplified value as a person reads it, on one line; empty if there is nothing to read. */
export function readableText(part: Part, value: unknown): string {
  const shown = namesInstead(part, value);
  const text = Array.isArray(shown) ? shown.map(readText).join(', ') : readText(shown);
  return text.replaceAll(/\s+/g, ' ').trim();
}
