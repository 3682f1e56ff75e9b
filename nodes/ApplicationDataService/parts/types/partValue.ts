import type { PartValueObject } from '../model/codec';
import type { Part } from '../model/part';
import { isObject } from '../values/shapes';
import { readText } from '../values/wire';

const VALUE_KEYS = ['val', 'error', 'hint', 'type', 'deny_write'];

/** A part-value object. A bare value is treated as its `val`. */
export function asPartValue(value: unknown): PartValueObject {
  if (!isObject(value)) return { val: value };
  return 'val' in value || Object.keys(value).every((key) => VALUE_KEYS.includes(key))
    ? value
    : { val: value };
}

/** The code or hint of a part in error; empty for none (interface.md, "Part-value object keys"). */
export function errorOf(value: PartValueObject, part?: Part): string {
  const error = readText(value.error);
  return error === '' && part?.type === 'expression' ? readText(value.hint) : error;
}
