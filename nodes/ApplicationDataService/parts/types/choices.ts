import type { PartCodec, PartValueObject, SimplifiedValue, WriteValue } from '../codec';
import { describeList } from '../describe';
import { refuse } from '../errors';
import { readList, splitText } from '../lists';
import type { Part } from '../part';
import { asItCame, isEmpty } from '../shapes';
import { nearest } from '../suggest';
import { readText } from '../wire';
import { plainText, readOneText } from './text';

const LINES = /[\t\r\n]+/;

/** Whether any text may be chosen: by setting, or because the service names no options to hold it against. */
function takesAnything(part: Part): boolean {
  return part.allowOther || part.options.length === 0;
}

function acceptedBy(part: Part, several: boolean): string {
  const count = several ? 'any of' : 'one of';
  if (part.options.length === 0) return several ? 'texts' : 'a text';
  const other = part.allowOther ? ', or another text' : '';
  return `${count}: ${describeList(part.options)}${other}`;
}

/** The one choice that a plain value names, checked against the options. */
function choose(value: unknown, part: Part, several: boolean): string {
  const text = plainText(value);
  const accepts = acceptedBy(part, several);
  if (text === null) throw refuse(part, value, { reason: 'it is not a text', accepts });
  if (part.options.includes(text)) return text;
  if (text.includes('\t')) {
    const reason = 'a choice cannot hold a tab, the service separates choices by it';
    throw refuse(part, value, { reason, accepts, suggestion: nearest(text, part.options) });
  }
  if (takesAnything(part)) return text;
  throw refuse(part, value, {
    reason: 'it is not one of the options',
    accepts,
    suggestion: nearest(text, part.options),
    advice: several ? severalAdvice(text, part) : undefined,
  });
}

function severalAdvice(text: string, part: Part): string | undefined {
  const pieces = splitText(text, /[,;、，；]/);
  const all = pieces.length > 1 && pieces.every((piece) => part.options.includes(piece));
  return all ? 'Separate several choices by a new line or give them as a list, not with commas.' : undefined;
}

/** The choices a value names: an option as it stands, else a list, JSON text of one, or one choice a line. */
function chooseSeveral(value: unknown, part: Part): string[] {
  if (typeof value === 'string' && part.options.includes(value)) return [value];
  const items = readList(value, LINES) ?? [value];
  const chosen = items.filter((item) => !isEmpty(item)).map((item) => choose(item, part, true));
  return [...new Set(chosen)];
}

function readSeveral({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return [];
  if (Array.isArray(val)) return val as SimplifiedValue;
  const text = readText(val);
  return text === '' ? asItCame(val) : text.split('\t').filter((choice) => choice !== '');
}

/** radio, select: one of the options. */
export const oneChoice: PartCodec = {
  read: ({ val }) => readOneText(val),
  write(value, part): WriteValue {
    return { kind: 'text', text: isEmpty(value) ? '' : choose(value, part, false) };
  },
  accepts: 'one of its options',
  editor: 'options',
  sortable: true,
  searchable: true,
  filterable: true,
};

/** checkbox, listbox: several of the options. */
export const severalChoices: PartCodec = {
  read: readSeveral,
  write(value, part): WriteValue {
    return { kind: 'text', text: isEmpty(value) ? '' : chooseSeveral(value, part).join('\t') };
  },
  accepts: 'a list of its options, or one option a line',
  editor: 'array',
  sortable: false,
  searchable: true,
  filterable: true,
};
