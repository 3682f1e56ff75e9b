import type { PartCodec } from './model/codec';
import { writeObstacle } from './model/obstacle';
import type { Part } from './model/part';
import { checkbox, listbox, radio, select } from './types/choices';
import { date, datetime } from './types/dates';
import { brokenReference, unknownType } from './types/entries';
import { expression } from './types/expression';
import { files } from './types/attachedFiles';
import { id } from './types/id';
import { groups, user, users } from './types/members';
import { number } from './types/number';
import { referenceList, tablePart } from './types/rows';
import { richeditor, textarea, textbox } from './types/text';
import { time } from './types/time';
import { isObject, readText } from './values/shapes';

/** Every part type of interface.md, "Part type codes", by its code. */
export const codecs: ReadonlyMap<string, PartCodec> = new Map<string, PartCodec>([
  ['textbox', textbox],
  ['textarea', textarea],
  ['richeditor', richeditor],
  ['radio', radio],
  ['select', select],
  ['checkbox', checkbox],
  ['listbox', listbox],
  ['number', number],
  ['date', date],
  ['time', time],
  ['datetime', datetime],
  ['files', files],
  ['users', users],
  ['groups', groups],
  ['user', user],
  ['input_list', tablePart(codecOf)],
  ['rel_list', referenceList(codecOf)],
  ['rel_field', brokenReference],
  ['expression', expression],
  ['id', id],
]);

/** The codec of a part. Values of unknown types are returned unchanged. */
export function codecOf(part: Pick<Part, 'type'>): PartCodec {
  return codecs.get(part.type) ?? unknownType;
}

/**
 * Whether values of a part may be written at all: not read-only, system or reference, and of a type that is written.
 */
export function isWritable(part: Part): boolean {
  return writeObstacle(part, codecOf(part)) === null;
}

/** Whether a value of a part consists of several, in any order, each of which counts as a whole. */
export function isSeveral(part: Part): boolean {
  const { choices, members } = codecOf(part);
  return choices === 'several' || members !== undefined;
}

/** Whether the values of a part have names. */
export function hasNames(part: Part): boolean {
  const { holds, members } = codecOf(part);
  return holds === 'files' || members !== undefined;
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
