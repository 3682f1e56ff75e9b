import type { PartCodec } from './model/codec';
import type { Part } from './model/part';
import { oneChoice, severalChoices } from './types/choices';
import { date } from './types/date';
import { datetime } from './types/datetime';
import { expression } from './types/expression';
import { files } from './types/attachedFiles';
import { id } from './types/id';
import { groups, user, users } from './types/members';
import { number } from './types/number';
import { referenceList, tablePart } from './types/rowParts';
import { longText, shortText } from './types/text';
import { time } from './types/time';
import { unknownType } from './types/unknown';

/** Every part type of interface.md, "Part type codes", by its code. */
export const codecs: ReadonlyMap<string, PartCodec> = new Map<string, PartCodec>([
  ['textbox', shortText],
  ['textarea', longText],
  ['richeditor', longText],
  ['radio', oneChoice],
  ['select', oneChoice],
  ['checkbox', severalChoices],
  ['listbox', severalChoices],
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
  ['expression', expression],
  ['id', id],
]);

/** The codec of a part. Values of unknown types, and of `rel_field`, are returned unchanged. */
export function codecOf(part: Pick<Part, 'type'>): PartCodec {
  return codecs.get(part.type) ?? unknownType;
}
