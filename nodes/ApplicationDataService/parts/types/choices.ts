import type { PartCodec, PartValueObject, WriteValue } from '../model/codec';
import { asItCame, isEmpty, readText, type SimplifiedValue } from '../values/shapes';
import { describeList, describeValues } from '../values/describe';
import { refuse } from '../model/errors';
import { jsonList, splitText } from '../values/lists';
import type { Part } from '../model/part';
import { nearest, nearestOfEach } from '../values/suggest';
import { plainText, readOneText } from './text';

const LINES = /[\t\r\n]+/;

/** Commas and similar characters: a one-line field cannot contain one choice per line. */
const COMMAS = /[,;、，；]/;

/** Whether any text may be chosen: because of a setting, or because the service names no options. */
export function takesAnything(part: Part): boolean {
  return part.allowOther || part.options.length === 0;
}

function acceptedBy(part: Part, several: boolean): string {
  const count = several ? 'any of' : 'one of';
  if (part.options.length === 0) return several ? 'texts' : 'a text';
  const other = part.allowOther ? ', or another text' : '';
  return `${count}: ${describeList(part.options)}${other}`;
}

/** The one choice that a plain value names. Whether it is offered is for {@link asWritten} to say. */
function choose(value: unknown, part: Part, several: boolean): string {
  const text = plainText(value);
  const accepts = acceptedBy(part, several);
  if (text === null) throw refuse(part, value, { reason: 'it is not a text', accepts });
  if (text.includes('\t') && !part.options.includes(text)) {
    const reason = 'an option cannot contain a tab, which the service uses as a separator';
    throw refuse(part, value, { reason, accepts, suggestion: nearest(text, part.options) });
  }
  return text;
}

/**
 * Refuses the texts that are no options of the part, all at once, unless any text may be chosen.
 * @param accepts what the part accepts, in words
 * @throws UserError naming the nearest options.
 */
export function assertTextsOffered(
  texts: readonly string[],
  part: Part,
  accepts: string,
  advice?: string,
): void {
  if (takesAnything(part)) return;
  const unknown = [...new Set(texts)].filter((text) => !part.options.includes(text));
  if (unknown.length === 0) return;
  throw refuse(part, unknown, {
    shown: describeValues(unknown),
    reason: unknown.length === 1 ? 'it is not one of the options' : 'they are not among the options',
    accepts,
    suggestion: nearestOfEach(unknown, part.options),
    advice,
  });
}

/**
 * The value to send. A choice that is not offered may be written back to a record that holds it.
 * @param isTyped whether several choices were typed as one text: what is no option is told without those around it.
 */
function asWritten(part: Part, chosen: readonly string[], several: boolean, isTyped = false): WriteValue {
  const text = chosen.join('\t');
  const unknown = takesAnything(part) ? [] : chosen.filter((choice) => !part.options.includes(choice));
  if (unknown.length === 0) return { kind: 'text', text };
  const assertOffered = (current: SimplifiedValue | undefined): void => {
    const stored = Array.isArray(current) ? current.map(readText) : [readText(current)];
    const isNew = (choice: string): boolean => !stored.includes(choice);
    const left = unknown.filter(isNew);
    const pieces = isTyped ? left.flatMap((choice) => piecesOf(choice, part)).filter(isNew) : [];
    const hasUnknown = pieces.some((piece) => !part.options.includes(piece));
    assertTextsOffered(hasUnknown ? pieces : left, part, acceptedBy(part, several));
  };
  return { kind: 'text', text, assertOffered };
}

/**
 * The options between commas, if there is nothing else: any other text may be a choice that contains a comma. If an
 * option contains a comma itself, the same text could mean several things.
 */
function betweenCommas(line: string, part: Part): readonly string[] {
  if (takesAnything(part) || part.options.includes(line)) return [line];
  if (part.options.some((option) => COMMAS.test(option))) return [line];
  const pieces = splitText(line, COMMAS);
  return pieces.length > 0 && pieces.every((piece) => part.options.includes(piece)) ? pieces : [line];
}

/**
 * The items a value names: those of a list or of JSON text of one as they are, a choice no longer offered may hold a
 * comma; of typed text, one a line or by commas.
 */
function itemsOf(value: unknown, part: Part): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || part.options.includes(value)) return [value];
  return jsonList(value) ?? splitText(value, LINES).flatMap((line) => betweenCommas(line, part));
}

function chooseSeveral(value: unknown, part: Part): WriteValue {
  const items = itemsOf(value, part).filter((item) => !isEmpty(item));
  const chosen = [...new Set(items.map((item) => choose(item, part, true)))];
  return asWritten(part, chosen, true, typeof value === 'string' && jsonList(value) === null);
}

/** The texts between the commas of a typed text that is no option, unless options contain commas themselves. */
function piecesOf(text: string, part: Part): readonly string[] {
  return part.options.some((option) => COMMAS.test(option)) ? [] : splitText(text, COMMAS);
}

function readSeveral({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return [];
  if (Array.isArray(val)) return val as SimplifiedValue;
  const text = readText(val);
  if (text === '') return asItCame(val);
  if (!text.includes('\t')) return [text];
  const choices = text.split('\t');
  // What filters makes a list with room for many more, which all items then hold.
  return choices.includes('') ? choices.filter((choice) => choice !== '') : choices;
}

export const select: PartCodec = {
  label: 'Pull down',
  read: ({ val }) => readOneText(val),
  write: (value, part) => asWritten(part, isEmpty(value) ? [] : [choose(value, part, false)], false),
  accepts: 'one of its options',
  sortable: true,
  searchable: true,
  filterable: true,
  choices: 'one',
};

export const radio: PartCodec = { ...select, label: 'Radio button' };

export const listbox: PartCodec = {
  label: 'List box',
  read: readSeveral,
  write: (value, part) => (isEmpty(value) ? { kind: 'text', text: '' } : chooseSeveral(value, part)),
  accepts: 'a list of its options, or its options by commas or one a line',
  forms: ['a, b'],
  sortable: false,
  searchable: true,
  filterable: true,
  choices: 'several',
};

export const checkbox: PartCodec = { ...listbox, label: 'Check box' };
