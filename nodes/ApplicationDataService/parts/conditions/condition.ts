import type { UserError } from '../../util/userError';
import { aboutPart, assertWhole, refuse } from '../model/errors';
import type { Part, ValueKind } from '../model/part';
import { choicesIn, notOffered, refuseChoices } from '../types/choices';
import { canonicalIn, ORDERED_KINDS, plainText } from '../types/plain';
import { jsonList, LINES, splitText } from '../values/given';
import { isBlank, isEmpty, isObject, readText } from '../values/shapes';

type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';
type TextOperator = 'contains' | 'notContains' | 'startsWith' | 'endsWith';
type WholeOperator = 'equals' | 'notEquals' | 'oneOf';
/** The operators of conditions, by the names that workflows save (parameters.md, Get Many). */
export type ConditionOperator = OrderOperator | TextOperator | WholeOperator | 'isNull' | 'isNotNull';

export function ordersValues(operator: string): operator is OrderOperator {
  return ['gt', 'gte', 'lt', 'lte'].includes(operator);
}

export function takesNoValue(operator: string): boolean {
  return operator === 'isNull' || operator === 'isNotNull';
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
}

/** The values that a condition compares with, whoever checks it. @throws UserError for one that cannot be compared */
export function readOperands(part: Part, value: unknown, options: OperandOptions): readonly Operand[] {
  const { operator, byId } = options;
  const items = itemsOf(part, value, byId).filter((item) => !isEmpty(item));
  if (items.length > 1 && ordersValues(operator))
    throw aboutPart(part, `is compared by greater or less with ${items.length} values`, 'Enter one value.');
  const operands = items.map((item) => readOperand(part, item, options));
  const { choices } = part.codec;
  const isWhole = ['equals', 'notEquals', 'oneOf'].includes(operator) || choices === 'several';
  if (choices === undefined || byId || !isWhole || operator === 'custom') return operands;
  const texts = operands.map(({ canonical }) => canonical.text);
  const unknown = notOffered(texts, part);
  if (unknown.length === 0) return operands;
  const advice = 'To find values that are no longer options, use the custom operator "=" or "contains".';
  throw refuseChoices(part, unknown, advice);
}

export function sentValues(part: Part, operands: readonly Operand[]): string {
  const broken = operands.find(({ sent }) => sent.includes('\t'));
  if (broken === undefined) return operands.map(({ sent }) => sent).join('\t');
  throw refuse(part, broken.sent, 'it contains a tab, which the service uses as a separator', {
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

function readOperand(part: Part, item: unknown, options: OperandOptions): Operand {
  const { byId } = options;
  assertWhole(part, item);
  // What a read gives for a user, a group or a file.
  if (isObject(item) && ('id' in item || 'name' in item))
    return operandOf(part, item, readText(byId ? item.id : item.name));
  const text = plainText(item) ?? '';
  if (byId) return operandOf(part, item, text.trim());
  return part.codec.compares === undefined
    ? operandOf(part, item, text)
    : operandInForm(part, item, text.trim(), options);
}

/** A value of a part whose values have a form: a number, a date, a time, an ID, the result of a calculation. */
function operandInForm(
  part: Part,
  item: unknown,
  text: string,
  { operator, timezone }: OperandOptions,
): Operand {
  const { compares } = part.codec;
  const kinds = ORDERED_KINDS.filter((kind) => compares === 'result' || compares === kind);
  const forms = kinds.map((kind) => [kind, canonicalIn(kind, item, timezone)] as const);
  const canonical: Forms = Object.fromEntries(forms.filter(([, form]) => form !== null));
  const form = sentForm(part, item, canonical, timezone);
  const given = text || (form ?? '');
  // What is no whole value may still be part of one. A time is shown in another form than it is sent in.
  if (/^(contains|notContains|startsWith|endsWith)$/.test(operator)) {
    // A day is not its midnight here, but a part of all its date/times.
    const day = compares === 'datetime' && !/[T ]/i.test(text) ? canonicalIn('date', text, timezone) : null;
    const sent = compares === 'result' ? given : (day ?? form ?? given);
    return operandOf(part, item, compares === 'time' ? given : sent, sent);
  }
  if (form === undefined && operator !== 'custom') assertMayBeText(part, item, operator, timezone);
  return operandOf(part, item, given, form ?? given, canonical);
}

/** An auto calculation or an ID can be compared with a text, except by greater or less. */
function assertMayBeText(part: Part, item: unknown, operator: string, timezone: string): void {
  const { compares, write } = part.codec;
  // Says what the part accepts, in the part's own words.
  write?.(item, part, { keyMode: 'name', timezone });
  if (isBlank(item) || write !== undefined) throw notComparable(part, item);
  if (!ordersValues(operator)) return;
  throw refuse(part, item, 'it cannot be put in order', {
    accepts: compares === 'number' ? 'a number' : 'a number, a date, a time or a date/time',
  });
}

/** As a write would send it (service-facts, "Filter"), else in the most precise of its forms, if it has any. */
function sentForm(part: Part, item: unknown, forms: Forms, timezone: string): string | undefined {
  const { number, date, time, datetime } = forms;
  const day = datetime === undefined || datetime.endsWith('T00:00') ? date : undefined;
  const form = number ?? day ?? datetime ?? time;
  const written =
    form === undefined ? undefined : part.codec.write?.(item, part, { keyMode: 'name', timezone });
  return written?.kind === 'text' ? written.text : form;
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
