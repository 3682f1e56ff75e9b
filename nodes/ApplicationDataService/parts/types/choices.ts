import type { UserError } from '../../util/userError';
import { refuse } from '../model/errors';
import { EVERY_USE, type Part, type PartCodec, type PartValueObject, type WriteValue } from '../model/part';
import { describeList, describeValues } from '../values/describe';
import { nearest, nearestOfEach } from '../values/likeness';
import { jsonList, LINES, splitText } from '../values/given';
import { asItCame, isEmpty, readText, type SimplifiedValue } from '../values/shapes';
import { plainText, readOneText } from './plain';

/** Commas and similar characters: a one-line field cannot contain one choice per line. */
const COMMAS = /[,;、，；]/;

/** Whether any text may be chosen: because of a setting, or because the service names no options. */
export function takesAnything(part: Part): boolean {
  return part.allowOther || part.options.length === 0;
}

function acceptedChoices({ options, allowOther, codec }: Part): string {
  if (options.length === 0) return codec.choices === 'one' ? 'a text' : 'texts';
  return `${describeList(options)}${allowOther ? ', or another text' : ''}`;
}

/** An option without the spaces that were typed around it; any other text may be a value of somebody's own. */
export function meetOption(text: string, { options }: Part): string {
  const trimmed = text.trim();
  return trimmed !== text && !options.includes(text) && options.includes(trimmed) ? trimmed : text;
}

/** The one choice that a plain value names. Whether it is offered is for {@link asWritten} to say. */
function choose(value: unknown, part: Part): string {
  const given = plainText(value);
  const accepts = acceptedChoices(part);
  if (given === null) throw refuse(part, value, 'it is not a text', { accepts });
  const text = meetOption(given, part);
  if (!text.includes('\t') || part.options.includes(text)) return text;
  const reason = 'an option cannot contain a tab, which the service uses as a separator';
  throw refuse(part, value, reason, { accepts, suggestion: nearest(text, part.options) });
}

/** The texts that are no options of a part, each once; none where any text may be chosen. */
export function notOffered(texts: readonly string[], part: Part): readonly string[] {
  return takesAnything(part) ? [] : [...new Set(texts)].filter((text) => !part.options.includes(text));
}

/** The refusal of texts that are no options, with the nearest ones; of a text with commas, of those pieces. */
export function refuseChoices(part: Part, texts: readonly string[], advice?: string): UserError {
  const unknownIn = (text: string): readonly string[] => {
    const pieces = hasCommas(part) ? [text] : splitText(text, COMMAS);
    const unknown = notOffered(pieces, part);
    return unknown.length > 0 && unknown.length < pieces.length ? unknown : [text];
  };
  const unknown = [...new Set(texts.flatMap(unknownIn))];
  const [isOne, near] = [unknown.length === 1, nearestOfEach(unknown, part.options)];
  return refuse(part, unknown, isOne ? 'it is not one of the options' : 'they are not among the options', {
    ...{ accepts: acceptedChoices(part), suggestion: near, advice },
    shown: describeValues(unknown),
  });
}

/** Then a comma in a text may belong to an option. */
function hasCommas(part: Part): boolean {
  return part.options.some((option) => COMMAS.test(option));
}

function asWritten(part: Part, chosen: readonly string[]): WriteValue {
  const text = chosen.join('\t');
  const unoffered = notOffered(chosen, part);
  return unoffered.length === 0 ? { kind: 'text', text } : { kind: 'text', text, unoffered };
}

/** The items of a list, of JSON text of one, or of lines, perhaps with commas. An option is one as it stands. */
export function choicesIn(value: unknown, part: Part): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || part.options.includes(value)) return [value];
  return jsonList(value) ?? value.split(LINES).flatMap((line) => choicesInLine(line, part));
}

/** The options between commas, if there is nothing else: any other text may be one choice that contains a comma. */
function choicesInLine(line: string, part: Part): readonly string[] {
  const { options } = part;
  const whole = line.trim();
  if (options.includes(line)) return [line];
  if (whole === '') return [];
  if (takesAnything(part) || options.includes(whole) || hasCommas(part)) return [whole];
  const pieces = whole.split(COMMAS).filter((piece) => piece.trim() !== '');
  const isPlain = (piece: string): boolean =>
    options.includes(piece.trim()) && (piece.trim() === piece || !options.includes(piece));
  return pieces.length > 0 && pieces.every(isPlain) ? pieces.map((piece) => piece.trim()) : [whole];
}

function readChoices({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return [];
  if (Array.isArray(val)) return val as SimplifiedValue;
  const text = readText(val);
  if (text === '') return asItCame(val);
  const choices = text.split('\t');
  // What filters makes a list with room for many more, which all items then hold.
  return choices.includes('') ? choices.filter((choice) => choice !== '') : choices;
}

export const select: PartCodec = {
  label: 'Pull down',
  read: ({ val }) => readOneText(val),
  write: (value, part) => asWritten(part, isEmpty(value) ? [] : [choose(value, part)]),
  accepts: 'one of its options',
  ...EVERY_USE,
  choices: 'one',
};

export const radio: PartCodec = { ...select, label: 'Radio button' };

export const listbox: PartCodec = {
  label: 'List box',
  read: readChoices,
  write(value, part) {
    const items = choicesIn(value, part).filter((item) => !isEmpty(item));
    return asWritten(part, [...new Set(items.map((item) => choose(item, part)))]);
  },
  accepts: 'a list of its options, or its options by commas or one a line',
  searchable: true,
  filterable: true,
  choices: 'several',
};

export const checkbox: PartCodec = { ...listbox, label: 'Check box' };
