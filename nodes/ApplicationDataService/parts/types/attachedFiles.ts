import { KEEP, type Part, type PartCodec, type WriteValue } from '../model/part';
import { isBlank, isEmpty, isObject, readObjects, readOneId, readText } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { jsonOrValue, splitText } from '../values/given';

/** Whether a value is a file as `read` returns it. It describes an existing file, so it changes nothing. */
function isReadFile(value: unknown): value is { readonly id: string } {
  return isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && 'url' in value;
}

/** Names or IDs, as a list or comma-separated; `null` if anything else is among them. */
function namesIn(value: unknown, textOf: (item: unknown) => string): string[] | null {
  if (isEmpty(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = typeof value === 'string' ? splitText(value, /[,\t\r\n]+/) : items.map(textOf);
  return names.includes('') ? null : [...new Set(names.map((name) => name.trim()))];
}

function interpret(given: unknown): WriteValue | null {
  if (isBlank(given)) return KEEP;
  const value = jsonOrValue(given);
  if (Array.isArray(value) && value.every(isReadFile))
    return { kind: 'keep', ...(value.length > 0 && { files: value.length }) };
  const change = isObject(value) ? value : { add: value };
  if (!Object.keys(change).every((key) => key === 'add' || key === 'remove')) return null;
  const add = namesIn(change.add, (item) => (typeof item === 'string' ? item : ''));
  const remove = namesIn(change.remove, (item) => {
    if (isReadFile(item)) return item.id;
    return typeof item === 'boolean' ? '' : readOneId(item);
  });
  if (add === null || remove === null) return null;
  return add.length + remove.length === 0 ? KEEP : { kind: 'files', add, remove };
}

export const files: PartCodec = {
  label: 'Attachment files',
  read: ({ val }) =>
    readObjects(val, 'attach', ({ id, attachdisp, mimetype, url, size }) => ({
      ...{ id: readOneId(id), name: readText(attachdisp), mimeType: readText(mimetype) },
      ...{ url: readText(url), size: readInteger(size) },
    })),
  write(value: unknown, part: Part): WriteValue {
    const meant = interpret(value);
    if (meant !== null) return meant;
    throw refuse(part, value, 'it names no files');
  },
  accepts: 'names of binary fields, e.g. data, or {"add": ["data"], "remove": ["77"]}',
  form: 'file',
  searchable: true,
  filterable: true,
  content: 'files',
};
