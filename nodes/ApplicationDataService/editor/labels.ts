import { codecOf } from '../parts/codecs';
import { describeList, shorten } from '../parts/values/describe';
import type { Part } from '../parts/model/part';
import { severalChoices, takesAnything } from '../parts/types/choices';
import { groupBy } from '../util/groupBy';

/** n8n makes the keys of AI tools from labels: every other character becomes `_`, and what is longer is cut. */
const NOT_IN_KEY = /[^a-zA-Z0-9-]/g;
const LONGEST_KEY = 63;

/** So much of a name stands before an ID, so that the ID is not cut off. */
const LONGEST_NAME = 40;

/** So much of an only choice is shown in a label. */
const LONGEST_CHOICE = 20;

/** So many choices are named in a list of parts. */
const MOST_CHOICES = 20;

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

/** The form of values that the kind of input field does not show; short, for the label must not be cut in the panel. */
const FILLING: ReadonlyMap<string, string> = new Map([
  ['checkbox', 'a, b'],
  ['listbox', 'a, b'],
  ['date', 'yyyy-MM-dd'],
  ['time', 'HH:mm'],
  ['datetime', 'yyyy-MM-ddTHH:mm'],
  ['files', 'binary fields'],
  ['users', 'user IDs'],
  ['groups', 'group IDs'],
  ['input_list', 'JSON rows'],
]);

/** How parts that stand beside each other are labelled. */
export function partLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, () => '');
}

/** The same of fields to fill in, with the form of their values where that is not obvious. */
export function fieldLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, (part) => {
    const filling = isOpenList(part) ? 'text or JSON list' : (onlyChoice(part) ?? FILLING.get(part.type));
    return filling === undefined ? '' : ` · ${filling}`;
  });
}

/**
 * Names, with the ID where two labels would be one key of an AI tool: equal names, or such that differ in letters only
 * which keys do not have, as Japanese names do.
 */
function labelled(parts: readonly Part[], suffixOf: (part: Part) => string): ReadonlyMap<Part, string> {
  const labels = new Map(parts.map((part) => [part, `${part.name}${suffixOf(part)}`]));
  for (let colliding = collisions(labels); colliding.length > 0; colliding = collisions(labels)) {
    const plain = colliding.filter((part) => labels.get(part) === `${part.name}${suffixOf(part)}`);
    if (plain.length === 0) break;
    for (const part of plain) {
      labels.set(part, `${shorten(part.name, LONGEST_NAME)} (${part.id})${suffixOf(part)}`);
    }
  }
  return labels;
}

function collisions(labels: ReadonlyMap<Part, string>): Part[] {
  const keyOf = (part: Part): string =>
    (labels.get(part) ?? '').replaceAll(NOT_IN_KEY, '_').slice(0, LONGEST_KEY);
  return groupBy([...labels.keys()], keyOf)
    .filter(({ length }) => length > 1)
    .flat();
}

/** What a single box says: there is nothing else to fill in. */
function onlyChoice(part: Part): string | undefined {
  const [choice, ...others] = codecOf(part) === severalChoices ? part.options : [];
  return choice === undefined || others.length > 0 ? undefined : shorten(choice, LONGEST_CHOICE);
}

/** Whether it takes several choices, of which any may be a text with a comma. */
function isOpenList(part: Part): boolean {
  return codecOf(part) === severalChoices && takesAnything(part);
}

/** What kind of part it is, in words, with the choices it offers. */
export function typeName({ type, reference, options }: Part): string {
  const name = TYPE_NAMES.get(type) ?? type;
  const kind = reference && type !== 'rel_field' ? `${name}, from another application` : name;
  return options.length === 0 ? kind : `${kind}: ${describeList(options, MOST_CHOICES)}`;
}
