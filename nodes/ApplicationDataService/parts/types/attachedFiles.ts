import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject, WriteValue } from '../model/codec';
import {
  asItCame,
  isBlank,
  isEmpty,
  isObject,
  readItems,
  readText,
  type SimplifiedValue,
} from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { jsonOrValue, splitText } from '../values/lists';
import type { Part } from '../model/part';

const ACCEPTS = 'names of binary fields, e.g. data, or {"add": ["data"], "remove": ["77"]}';
const KEEP: WriteValue = { kind: 'keep' };

function read({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return [];
  if (!Array.isArray(val) && !isObject(val)) return asItCame(val);
  return readItems(isObject(val) && 'attach' in val ? val.attach : val).map((item) =>
    isObject(item) ? readFile(item) : asItCame(item),
  );
}

function readFile(item: Record<string, unknown>): IDataObject {
  return {
    id: readText(item.id),
    name: readText(item.attachdisp),
    mimeType: readText(item.mimetype),
    url: readText(item.url),
    size: readInteger(item.size),
  };
}

/** Whether a value is a file as `read` returns it. It describes an existing file, so it changes nothing. */
function isReadFile(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && 'url' in value;
}

/** Names or IDs, as a list or comma-separated; `null` if anything else is among them. */
function readNames(value: unknown): string[] | null {
  if (isEmpty(value)) return [];
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [String(value)] : null;
  if (typeof value === 'string') return splitText(value, /[,\t\r\n]+/);
  if (!Array.isArray(value)) return null;
  const names = value.map((item: unknown) =>
    readText(isReadFile(item) ? (item as { id: string }).id : item).trim(),
  );
  return names.includes('') ? null : names;
}

function readChange(value: Record<string, unknown>): WriteValue | null {
  if (Object.keys(value).some((key) => key !== 'add' && key !== 'remove')) return null;
  if (Array.isArray(value.add) && value.add.some((item) => typeof item !== 'string')) return null;
  if (typeof value.add === 'number') return null;
  return change(readNames(value.add), readNames(value.remove));
}

function change(add: string[] | null, remove: string[] | null): WriteValue | null {
  if (add === null || remove === null) return null;
  if (add.length === 0 && remove.length === 0) return KEEP;
  return { kind: 'files', add: [...new Set(add)], remove: [...new Set(remove)] };
}

function interpret(value: unknown): WriteValue | null {
  if (isBlank(value)) return KEEP;
  if (typeof value === 'string') {
    const parsed = jsonOrValue(value);
    return parsed === value ? change(readNames(value), []) : interpret(parsed);
  }
  if (isObject(value)) return readChange(value);
  if (!Array.isArray(value)) return null;
  if (value.every(isReadFile)) return value.length === 0 ? KEEP : { kind: 'keep', files: value.length };
  return value.every((item) => typeof item === 'string') ? change(readNames(value), []) : null;
}

/** files: uploads and removals. Values that were read change nothing. */
export const files: PartCodec = {
  label: 'Attachment files',
  read,
  write(value: unknown, part: Part): WriteValue {
    const meant = interpret(value);
    if (meant !== null) return meant;
    throw refuse(part, value, { reason: 'it names no files', accepts: ACCEPTS });
  },
  accepts: ACCEPTS,
  forms: ['names of binary fields, e.g. data'],
  sortable: false,
  searchable: true,
  filterable: true,
  holds: 'files',
};
