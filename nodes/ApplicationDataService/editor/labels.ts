import { codecOf } from '../parts/codecs';
import { shorten } from '../parts/values/describe';
import type { Part } from '../parts/model/part';
import { severalChoices, takesAnything } from '../parts/types/choices';

/** So much of a name is shown: n8n cuts the keys it makes from labels at 63 characters, and the ID must be among them. */
const LONGEST_NAME = 40;

/** Part types as interface.md names them, "Part type codes". */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['textbox', 'Text (one line)'],
  ['textarea', 'Text (multi line)'],
  ['checkbox', 'Check box'],
  ['radio', 'Radio button'],
  ['select', 'Pull down'],
  ['listbox', 'List box'],
  ['number', 'Number'],
  ['date', 'Date'],
  ['time', 'Time'],
  ['datetime', 'Date/time'],
  ['files', 'Attachment files'],
  ['expression', 'Auto calculation'],
  ['richeditor', 'Rich text'],
  ['users', 'Select user'],
  ['groups', 'Select group'],
  ['input_list', 'Table part'],
  ['rel_list', 'Reference list'],
  ['rel_field', 'Reference part in error'],
  ['id', 'ID'],
  ['user', 'User'],
]);

/** The form of values that the kind of input field does not show. */
const FILLING: ReadonlyMap<string, string> = new Map([
  ['checkbox', 'one or more, by comma'],
  ['listbox', 'one or more, by comma'],
  ['date', 'yyyy-MM-dd'],
  ['time', 'HH:mm'],
  ['datetime', 'yyyy-MM-ddTHH:mm'],
  ['files', 'names of binary fields'],
  ['users', 'user IDs'],
  ['groups', 'group IDs'],
  ['input_list', 'rows as a list or JSON'],
]);

/**
 * A part's name and ID. The ID keeps labels apart where names are equal, and for AI tools, whose parameter keys are made
 * from labels with every non-ASCII character replaced: two Japanese names could become one key.
 */
export function partLabel(part: Part): string {
  return `${shorten(part.name, LONGEST_NAME)} (${part.id})`;
}

/** The label of a field to fill in, with the form of its values where that is not obvious. */
export function fieldLabel(part: Part): string {
  const filling = isOpenList(part) ? 'one, or a JSON list' : FILLING.get(part.type);
  return filling === undefined ? partLabel(part) : `${partLabel(part)}: ${filling}`;
}

/** Whether it takes several choices, of which any may be a text with a comma. */
function isOpenList(part: Part): boolean {
  return codecOf(part) === severalChoices && takesAnything(part);
}

/** What kind of part it is, in words. */
export function typeName({ type, reference }: Part): string {
  const name = TYPE_NAMES.get(type) ?? type;
  return reference && type !== 'rel_field' ? `${name}, from another application` : name;
}
