import { codecOf } from '../parts/codecs';
import { describeList, shorten } from '../parts/values/describe';
import type { Part } from '../parts/model/part';
import { takesAnything } from '../parts/types/choices';
import { groupBy } from '../util/groupBy';

/** n8n makes the keys of AI tools from labels: every other character becomes `_`, and what is longer is cut. */
const NOT_IN_KEY = /[^a-zA-Z0-9-]/g;
const LONGEST_KEY = 63;

/** How many characters of a name come before an ID, so that the ID is not cut off. */
const LONGEST_NAME = 40;

const LONGEST_CHOICE = 20;

const MOST_CHOICES = 20;

/** About how many letters n8n shows of a label in a panel of usual width; Japanese ones take the room of two. */
const ROOM = 23;
const WIDE = /[\u1100-\uffff]/g;

/** How many of the choices a label names that accepts other texts, too. */
const FIRST_CHOICES = [3, 2, 1];

/** Choices that may hold a comma themselves. */
const OPEN_LIST = ['text or JSON list', 'JSON list'];

/** The labels of parts that are listed together. */
export function partLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, (_, name) => name);
}

/** The same for fields to fill in, with the form of their values if that is not obvious. */
export function fieldLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, (part, name) => {
    const labels = fillings(part).map((filling) => `${name} · ${filling}`);
    return labels.find((label) => label.replaceAll(WIDE, '  ').length <= ROOM) ?? labels.at(-1) ?? name;
  });
}

/** Texts that say how to fill in a field, the longest first. */
function fillings(part: Part): readonly string[] {
  const { choices, forms = [] } = codecOf(part);
  const shown = part.options.map((choice) => shorten(choice, LONGEST_CHOICE));
  if (choices === 'several') {
    if (takesAnything(part)) return OPEN_LIST;
    // The label of a single box: there is nothing else to fill in.
    if (shown.length === 1) return shown;
  }
  return choices === 'one' && part.allowOther && shown.length > 0
    ? FIRST_CHOICES.map((count) => `${shown.slice(0, count).join(', ')} or other`)
    : forms;
}

/**
 * Names, with the ID if two labels would become the same key of an AI tool: equal names, or names that differ only in
 * letters that keys cannot contain, such as Japanese ones.
 */
function labelled(
  parts: readonly Part[],
  labelOf: (part: Part, name: string) => string,
): ReadonlyMap<Part, string> {
  const labels = new Map(parts.map((part) => [part, labelOf(part, part.name)]));
  const withId = new Set<Part>();
  for (let colliding = collisions(labels); colliding.length > 0; colliding = collisions(labels)) {
    const plain = colliding.filter((part) => !withId.has(part));
    if (plain.length === 0) break;
    for (const part of plain) {
      withId.add(part);
      labels.set(part, labelOf(part, `${shorten(part.name, LONGEST_NAME)} (${part.id})`));
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

/** What kind of part it is, in words, with the choices it offers. */
export function typeName(part: Part): string {
  const { reference, options } = part;
  const { label = part.type } = codecOf(part);
  const kind = reference ? `${label}, from another application` : label;
  return options.length === 0 ? kind : `${kind}: ${describeList(options, MOST_CHOICES)}`;
}
