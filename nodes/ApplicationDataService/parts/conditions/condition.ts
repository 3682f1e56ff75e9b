import type { UserError } from '../../util/userError';
import { aboutPart, assertWhole, refuse } from '../model/errors';
import type { Part, ValueKind, WriteContext } from '../model/part';
import { choicesIn, meetOption, notOffered, refuseChoices, takesAnything } from '../types/choices';
import { mayName } from '../types/members';
import { canonicalIn, ORDERED_KINDS, partialIn, plainText } from '../types/plain';
import { jsonList, LINES, splitText } from '../values/given';
import { isEmpty, isObject, ownValue, readText } from '../values/shapes';

interface Operator {
  /** What it looks for in a part's value: a whole value, part of a text, an order; `nothing`: it takes no value. */
  readonly seeks: 'whole' | 'part' | 'order' | 'nothing';
  /** The service's own, where it is known to have it (service-facts, "Filter"). */
  readonly code?: string;
  /** It is met where this one is not. */
  readonly opposes?: 'equals' | 'contains' | 'isNull';
}

const table = <N extends string>(operators: Readonly<Record<N, Operator>>) => operators;

/** The operators of conditions, by the names that workflows save (parameters.md, Get Many). */
export const OPERATORS = table({
  equals: { seeks: 'whole', code: '=' },
  notEquals: { seeks: 'whole', opposes: 'equals' },
  oneOf: { seeks: 'whole' },
  contains: { seeks: 'part', code: 'contains' },
  notContains: { seeks: 'part', opposes: 'contains' },
  startsWith: { seeks: 'part' },
  endsWith: { seeks: 'part' },
  gt: { seeks: 'order' },
  gte: { seeks: 'order', code: '>=' },
  lt: { seeks: 'order' },
  lte: { seeks: 'order' },
  isNull: { seeks: 'nothing', code: 'is_null' },
  isNotNull: { seeks: 'nothing', opposes: 'isNull' },
});
export type ConditionOperator = keyof typeof OPERATORS;

/** What an operator looks for; `undefined` for any that only the service knows. */
export function soughtBy(operator: string): Operator['seeks'] | undefined {
  return ownValue<Operator>(OPERATORS, operator)?.seeks;
}

export type MatchMode = 'all' | 'any';
type Forms = Readonly<Partial<Record<ValueKind, string>>>;

export interface Operand {
  readonly sent: string;
  readonly canonical: Forms & { readonly text: string };
}

export interface Condition {
  readonly part: Part;
  readonly operator: ConditionOperator;
  readonly operands: readonly Operand[];
  /** Users, groups and files are compared by their IDs, not by their names. */
  readonly byId: boolean;
}

interface OperandOptions {
  readonly operator: string;
  readonly byId: boolean;
  readonly timezone: string;
  readonly onMovedDay?: WriteContext['onMovedDay'];
}

/** Whether values of a part have IDs to compare by. Those of choices only the service knows: no record shows them. */
export function hasIds({ codec: { choices, members, content } }: Part): boolean {
  return (choices ?? members) !== undefined || content === 'files';
}

/** The values that a condition compares with, whoever checks it. @throws UserError for one that cannot be compared */
export function readOperands(part: Part, value: unknown, options: OperandOptions): readonly Operand[] {
  const { operator, byId } = options;
  const items = operandItems(part, value, options).filter((item) => !isEmpty(item));
  if (items.length > 1 && soughtBy(operator) === 'order')
    throw aboutPart(part, `is compared by greater or less with ${items.length} values`, 'Enter one value.');
  const operands = items.map((item) => readOperand(part, item, options));
  if (byId || !takesWholeChoices(part, operator)) return operands;
  const texts = operands.map(({ canonical }) => canonical.text);
  const unknown = notOffered(texts, part);
  if (unknown.length === 0) return operands;
  const custom = part.codec.choices === 'several' ? 'contains' : 'equals';
  const advice = `To find values that are no longer options, use the custom operator "${custom}".`;
  throw refuseChoices(part, unknown, advice);
}

function takesWholeChoices({ codec: { choices } }: Part, operator: string): boolean {
  if (choices === undefined || operator === 'custom') return false;
  return choices === 'several' || soughtBy(operator) === 'whole';
}

export function sentValues(part: Part, operands: readonly Operand[]): string {
  const broken = operands.find(({ sent }) => sent.includes('\t'));
  if (broken === undefined) return operands.map(({ sent }) => sent).join('\t');
  throw refuse(part, broken.sent, 'it contains a tab, which the service uses as a separator', {
    accepts: 'a text without tabs',
  });
}

/** Several choices, people or groups are given as for a write, because they may be one text with commas there. */
function operandItems(part: Part, value: unknown, { operator, byId }: OperandOptions): readonly unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
  const { choices, members, multiline } = part.codec;
  if (byId) return jsonList(value) ?? splitText(value, /[,\t\r\n]+/);
  if (choices === 'several') return choicesIn(value, part);
  if (members !== undefined) return mayName(value);
  if (choices !== undefined && part.options.includes(value)) return [value];
  const list = jsonList(value);
  if (!holdsText(part)) return list ?? value.split(LINES);
  // A text means itself, brackets too, and line breaks where it may hold some.
  if (operator === 'oneOf') return list === null ? value.split(LINES) : [value, ...list];
  return multiline === true ? [value] : value.split(LINES);
}

function holdsText(part: Part): boolean {
  const { choices, members, compares, content } = part.codec;
  if (choices === 'one') return takesAnything(part);
  return compares === 'result' || (choices ?? members ?? compares ?? content) === undefined;
}

function readOperand(part: Part, item: unknown, options: OperandOptions): Operand {
  const { byId, operator } = options;
  const { compares } = part.codec;
  assertWhole(part, item);
  // What a read gives for a user, a group or a file.
  const isRead = isObject(item) && hasIds(part) && ('id' in item || 'name' in item);
  const text = isRead ? readText(byId ? item.id : item.name) : (plainText(item) ?? '');
  if (byId) return operandById(part, item, text.trim());
  if (compares !== undefined) return operandInForm(part, item, options);
  return operandOf(part, item, takesWholeChoices(part, operator) ? meetOption(text, part) : text);
}

function operandById(part: Part, item: unknown, text: string): Operand {
  if (/^\d+$/.test(text)) return operandOf(part, item, text);
  throw refuse(part, item, 'it is not an ID', {
    accepts: 'IDs, which are whole numbers',
    advice: 'To compare with a name or a text, set Compare By to "Value or Name".',
  });
}

/** A value of a part whose values have a form: a number, a date, a time, an ID, the result of a calculation. */
function operandInForm(part: Part, item: unknown, options: OperandOptions): Operand {
  const { operator, timezone } = options;
  const isResult = part.codec.compares === 'result';
  const whole = canonicalForms(part, item, canonicalIn, timezone);
  const form = mostPrecise(whole);
  const typed = typeof item !== 'string' ? null : isResult ? item : item.trim();
  const text = typed ?? form ?? plainText(item) ?? '';
  if (text.trim() === '') throw notComparable(part, item);
  const written = writtenForm(part, item, form, options);
  const forms = soughtBy(operator) === 'part' ? canonicalForms(part, item, partialIn, timezone) : whole;
  // The type of a calculation is its result's, so a text is sent as it was typed.
  if (isResult && typed !== null) return operandOf(part, item, text, text, forms);
  // A time is shown in another form than it is sent in.
  const isShown = soughtBy(operator) === 'part' && part.codec.compares !== 'time';
  return operandOf(part, item, text, (isShown ? mostPrecise(forms) : written) ?? text, forms);
}

function canonicalForms(part: Part, item: unknown, read: typeof partialIn, timezone: string): Forms {
  const { compares } = part.codec;
  const kinds = ORDERED_KINDS.filter((kind) => compares === 'result' || compares === kind);
  return Object.fromEntries(kinds.map((kind) => [kind, read(kind, item, timezone) ?? undefined]));
}

/** A value as a write would send it (service-facts, "Filter"). @throws UserError where it must be one, and is none */
function writtenForm(
  part: Part,
  item: unknown,
  form: string | undefined,
  { operator, timezone, onMovedDay }: OperandOptions,
): string | undefined {
  const { compares, write } = part.codec;
  // What is no whole value may still be part of one.
  const mayBeNone = soughtBy(operator) === 'part' || operator === 'custom';
  if (form === undefined && mayBeNone) return undefined;
  const written = write?.(item, part, { keyMode: 'name', timezone, onMovedDay });
  if (written?.kind === 'text') return written.text;
  if (form !== undefined || soughtBy(operator) !== 'order') return form;
  throw refuse(part, item, 'it cannot be put in order', {
    accepts: compares === 'number' ? 'a number' : 'a number, a date, a time or a date/time',
  });
}

/** The form that says most; of a midnight, its day. */
function mostPrecise({ number, date, time, datetime }: Forms): string | undefined {
  const day = datetime === undefined || datetime.endsWith('T00:00') ? date : undefined;
  return number ?? day ?? datetime ?? time;
}

function operandOf(part: Part, item: unknown, text: string, sent = text, canonical: Forms = {}): Operand {
  if (text === '' || sent === '') throw notComparable(part, item);
  return { sent, canonical: { ...canonical, text: text.replaceAll('\r\n', '\n') } };
}

function notComparable(part: Part, item: unknown): UserError {
  return refuse(part, item, 'it is not a value to compare with', {
    accepts: part.codec.write === undefined ? 'a text or a number' : part.codec.accepts,
  });
}
