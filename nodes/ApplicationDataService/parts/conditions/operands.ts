import { UserError } from '../../util/userError';
import { assertWhole, namePart, refuse } from '../model/errors';
import type { Part, PartCodec, ValueKind } from '../model/part';
import { choicesIn, notOffered, refuseChoices } from '../types/choices';
import { canonicalIn, plainText } from '../types/plain';
import { jsonList, LINES, splitText } from '../values/lists';
import { isBlank, isEmpty, isObject, readText } from '../values/shapes';
import { looksIntoTexts, type Operand, ordersValues } from './condition';
import { ORDERED_KINDS } from './values';

export interface OperandOptions {
  /** By its saved name; `custom` for one of the service's own, of which nothing is known. */
  readonly operator: string;
  /** The value is an ID of a user, a group or an option, not what people see. */
  readonly byId: boolean;
  readonly timezone: string;
}

/**
 * The values that a condition compares a part with, whoever checks it, the service or the node: one value, a list, JSON
 * text of a list, or a text with one value a line or between tabs. Empty ones are left out.
 * @throws UserError for a value that cannot be compared, or that the part can never hold.
 */
export function readOperands(part: Part, value: unknown, options: OperandOptions): readonly Operand[] {
  const items = itemsOf(part, value, options.byId).filter((item) => !isEmpty(item));
  assertFewEnough(part, items, options);
  const operands = items.map((item) => readOperand(part, item, options));
  assertOptions(part, operands, options);
  return operands;
}

/** The values of a condition as the service takes them. @throws UserError for one with the separator in it. */
export function sentValues(part: Part, operands: readonly Operand[]): string {
  const broken = operands.find(({ sent }) => sent.includes('\t'));
  if (broken === undefined) return operands.map(({ sent }) => sent).join('\t');
  throw refuse(part, broken.sent, {
    reason: 'it contains a tab, which the service uses as a separator',
    accepts: 'a text without tabs',
  });
}

/** Several choices, people or groups are given as for a write, because they may be one text with commas there. */
function itemsOf(part: Part, value: unknown, byId: boolean): readonly unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
  const { choices, members } = part.codec;
  if (choices === 'several' && !byId) return choicesIn(value, part);
  if (choices !== undefined && part.options.includes(value)) return [value];
  const list = jsonList(value);
  if (list !== null || members === undefined) return list ?? value.split(LINES);
  const ids = byId ? splitText(value, /[,\t\r\n]+/) : [];
  return ids.length > 0 && ids.every((id) => /^\d+$/.test(id)) ? ids : splitText(value, LINES);
}

/** @throws UserError for several values where only one makes sense. */
function assertFewEnough(part: Part, items: readonly unknown[], { operator }: OperandOptions): void {
  if (items.length < 2 || !ordersValues(operator)) return;
  throw new UserError(
    `part ${namePart(part)} is compared by greater or less with ${items.length} values`,
    'Enter one value.',
  );
}

function readOperand(part: Part, item: unknown, options: OperandOptions): Operand {
  assertWhole(part, item);
  const { byId } = options;
  const { compares } = part.codec;
  const member = memberText(item, byId);
  if (member !== null || byId) return operandOf(part, item, member ?? plainText(item)?.trim());
  return compares === undefined
    ? operandOf(part, item, plainText(item))
    : readForm(part, item, compares, options);
}

/** A value of a part whose values have a form: a number, a date, a time, an ID, the result of a calculation. */
function readForm(
  part: Part,
  item: unknown,
  compares: NonNullable<PartCodec['compares']>,
  options: OperandOptions,
): Operand {
  const { operator, timezone } = options;
  const understood = understoodAs(compares === 'result' ? ORDERED_KINDS : [compares], item, timezone);
  const isInside = looksIntoTexts(operator);
  if (understood.length === 0 && !isInside && operator !== 'custom') assertMayBeText(part, item, options);
  const form = writtenText(part, item, timezone, understood.length > 0) ?? shownForm(understood);
  const given = plainText(item)?.trim() ?? form;
  if (isInside) return insideOperand(part, item, given, form);
  const { text, canonical } = operandOf(part, item, given);
  return { text, sent: form ?? text, canonical: { ...canonical, ...Object.fromEntries(understood) } };
}

/** What no whole value is may still be part of one. A time is shown in another form than it is sent in. */
function insideOperand(
  part: Part,
  item: unknown,
  given: string | undefined,
  form: string | undefined,
): Operand {
  const { compares } = part.codec;
  if (compares === 'result') return operandOf(part, item, given);
  return operandOf(part, item, compares === 'time' ? given : (form ?? given), form ?? given);
}

type Understood = readonly (readonly [ValueKind, string])[];

/** A value in the form of each kind that it can be of. */
function understoodAs(kinds: readonly ValueKind[], item: unknown, timezone: string): Understood {
  return kinds.flatMap((kind) => {
    const canonical = canonicalIn(kind, item, timezone);
    return canonical === null ? [] : [[kind, canonical] as const];
  });
}

function operandOf(part: Part, item: unknown, text: string | null | undefined, sent = text): Operand {
  if (!isEmpty(text) && !isEmpty(sent))
    return { text, sent, canonical: { text: text.replaceAll('\r\n', '\n') } };
  throw refuse(part, item, { reason: 'it is not a value to compare with', accepts: 'a text or a number' });
}

/** Values with a form of their own in requests have it in filters, too (service-facts, "Filter"). */
function writtenText(part: Part, item: unknown, timezone: string, isUnderstood: boolean): string | null {
  const written = isUnderstood ? part.codec.write?.(item, part, { keyMode: 'name', timezone }) : undefined;
  return written?.kind === 'text' ? written.text : null;
}

/** Of a part that is not written the most precise of the forms in which a value can be understood. */
function shownForm(understood: Understood): string | undefined {
  const forms = new Map(understood);
  const moment = forms.get('datetime');
  const day = moment?.endsWith('T00:00') === true ? forms.get('date') : undefined;
  return forms.get('number') ?? day ?? moment ?? forms.get('time');
}

/** An auto calculation or an ID can be compared with a text, except by greater or less. */
function assertMayBeText(part: Part, item: unknown, { operator, timezone }: OperandOptions): void {
  const { write, accepts, compares } = part.codec;
  // Says what the part accepts, in the part's own words.
  write?.(item, part, { keyMode: 'name', timezone });
  if (write === undefined && !ordersValues(operator) && !isBlank(item)) return;
  throw refuse(part, item, {
    reason: isBlank(item) ? 'it is not a value to compare with' : 'it cannot be put in order',
    accepts: write !== undefined ? accepts : compares === 'number' ? 'a number' : ORDERED,
  });
}

const ORDERED = 'a number, a date, a time or a date/time';

const WHOLE: ReadonlySet<string> = new Set(['equals', 'notEquals', 'oneOf']);

/** @throws UserError naming the nearest options, if an operator that takes whole ones is given another text. */
function assertOptions(part: Part, operands: readonly Operand[], { operator, byId }: OperandOptions): void {
  const { choices } = part.codec;
  const isWhole = WHOLE.has(operator) || (choices === 'several' && operator !== 'custom');
  if (choices === undefined || byId || !isWhole) return;
  const texts = operands.map(({ text }) => text);
  const unknown = notOffered(texts, part);
  if (unknown.length === 0) return;
  throw refuseChoices(
    part,
    unknown,
    'To find values that are no longer options, use the custom operator "=" or "contains".',
  );
}

/** The id or name of a user, group or file as a read returns it; `null` for anything else. */
function memberText(item: unknown, byId: boolean): string | null {
  if (!isObject(item) || !('id' in item || 'name' in item)) return null;
  return readText(byId ? item.id : item.name);
}
