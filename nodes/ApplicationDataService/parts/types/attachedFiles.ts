import type { IDataObject } from 'n8n-workflow';

import type { Part, PartCodec, WriteValue } from '../model/part';
import { isBlank, isEmpty, isObject, readObjects, readOneId, readText } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { jsonOrValue, splitText } from '../values/lists';

const KEEP: WriteValue = { kind: 'keep' };

function readFile(item: Record<string, unknown>): IDataObject {
  return {
    id: readOneId(item.id),
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
  if (typeof value === 'string') return splitText(value, /[,\t\r\n]+/);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = items.map((item) => readOneId(isReadFile(item) ? (item as { id: string }).id : item).trim());
  return names.includes('') || typeof value === 'boolean' ? null : names;
}

/** @param given names to add, and to remove. */
function change(given: { readonly add?: unknown; readonly remove?: unknown }): WriteValue | null {
  const texts: readonly unknown[] = Array.isArray(given.add) ? given.add : [given.add ?? ''];
  const [add, remove] = [readNames(given.add), readNames(given.remove)];
  if (add === null || remove === null || texts.some((name) => typeof name !== 'string')) return null;
  if (add.length === 0 && remove.length === 0) return KEEP;
  return { kind: 'files', add: [...new Set(add)], remove: [...new Set(remove)] };
}

function interpret(given: unknown): WriteValue | null {
  if (isBlank(given)) return KEEP;
  const value = jsonOrValue(given);
  if (Array.isArray(value) && value.every(isReadFile)) return KEEP;
  if (!isObject(value)) return change({ add: value });
  return Object.keys(value).every((key) => key === 'add' || key === 'remove') ? change(value) : null;
}

/** files: uploads and removals. Values that were read change nothing. */
export const files: PartCodec = {
  label: 'Attachment files',
  read: ({ val }) => readObjects(val, 'attach', readFile),
  write(value: unknown, part: Part): WriteValue {
    const meant = interpret(value);
    if (meant !== null) return meant;
    throw refuse(part, value, 'it names no files');
  },
  accepts: 'names of binary fields, e.g. data, or {"add": ["data"], "remove": ["77"]}',
  form: 'binary fields',
  searchable: true,
  filterable: true,
  content: 'files',
};
