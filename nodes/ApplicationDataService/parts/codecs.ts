import type { Part, PartCodec } from './model/part';
import { checkbox, listbox, radio, select } from './types/choices';
import { brokenReference, unknownType } from './types/entries';
import { files } from './types/attachedFiles';
import { id } from './types/id';
import { groups, user, users } from './types/members';
import { referenceList, tablePart } from './types/rows';
import { date, datetime, expression, number, richeditor, textarea, textbox, time } from './types/plain';
import { isObject, readFlag, readItems, readText } from './values/shapes';

/** Every part type of interface.md, "Part type codes", by its code. */
export const codecs: ReadonlyMap<string, PartCodec> = new Map(
  Object.entries<PartCodec>({
    ...{ textbox, textarea, richeditor, radio, select, checkbox, listbox, number, date, time, datetime },
    ...{ files, users, groups, user, expression, id },
    ...{ input_list: tablePart, rel_list: referenceList, rel_field: brokenReference },
  }),
);

export function codecOf(type: string): PartCodec {
  return codecs.get(type) ?? unknownType;
}

/** Reads one item of `fields.item` (or of `child.list.item`) of `get_app`. */
export function readPart(item: unknown): Part {
  const raw = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
  const child = (raw.child ?? {}) as { list?: unknown };
  const unit = Number(readText(raw.time_unit));
  const type = readText(raw.type);
  return {
    id: readText(raw.id),
    name: readText(raw.name),
    identifier: readText(raw.field_alias),
    type,
    readOnly: readFlag(raw.readonly),
    system: readFlag(raw.system),
    reference: readFlag(raw.is_ref),
    options: readText(raw.options)
      .split('\t')
      .filter((option) => option !== ''),
    allowOther: readFlag(raw.allow_other),
    timeUnit: Number.isFinite(unit) && unit > 0 ? unit : null,
    children: readItems(child.list).map(readPart),
    codec: codecOf(type),
  };
}

/**
 * The names in a simplified value of people, groups and files; of a reference list what each record shows, on a line of
 * its own. Other values are returned unchanged.
 */
export function namesInstead({ codec }: Part, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (codec.content === 'references') return value.map(rowText).join('\n');
  return codec.content === 'files' || codec.members !== undefined ? joinedNames(value) : value;
}

function joinedNames(values: readonly unknown[]): string {
  return values.map((each) => (isObject(each) ? readText(each.name) : readText(each))).join(', ');
}

function rowText(row: unknown): string {
  if (!isObject(row)) return readText(row);
  const keys = Object.keys(row).filter((key) => key !== 'id' && key !== 'partErrors');
  const texts = keys.map((key) => {
    const value = row[key];
    return Array.isArray(value) ? joinedNames(value) : readText(value);
  });
  return texts.filter((text) => text !== '').join(', ') || readText(row.id);
}

/** A simplified value as a person reads it, on one line; empty if there is nothing to read. */
export function readableText(part: Part, value: unknown): string {
  const shown = namesInstead(part, value);
  const text = Array.isArray(shown) ? shown.map(readText).join(', ') : readText(shown);
  return text.replaceAll(/\s+/g, ' ').trim();
}
