import { codecOf } from '../codecs';
import { assertNotRounded, refuse } from '../model/errors';
import type { Part } from '../model/part';
import { assertTextsOffered } from '../types/choices';
import { datetime } from '../types/dates';
import { plainText } from '../types/text';
import { describeList } from '../values/describe';
import { jsonList } from '../values/lists';
import { isEmpty, isObject, readText } from '../values/shapes';
import { canonicalValue, kindOf, ORDERED_KINDS } from './values';
import { type ValueKind } from '../model/codec';

/** The operators of conditions, by the names that workflows save (parameters.md, Get Many). */
export type ConditionOperator =
  | 'equals'
  | 'notEquals'
  | 'oneOf'
  | 'contains'
  | 'notContains'
  | 'startsWith'
  | 'endsWith'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'isNull'
  | 'isNotNull';

/** Whether an operator compares by order. */
export function ordersValues(operator: ConditionOperator): boolean {
  return ['gt', 'gte', 'lt', 'lte'].includes(operator);
}

/** Whether an operator only checks whether there is a value. */
export function takesNoValue(operator: ConditionOperator): boolean {
  return operator === 'isNull' || operator === 'isNotNull';
}

/** Whether a record must meet all conditions, or one of them. */
export type MatchMode = 'all' | 'any';

/** A condition that the node checks itself, on a record it has read. */
export interface Condition {
  readonly part: Part;
  readonly operator: ConditionOperator;
  /** The values to compare the part with; none for `isNull` and `isNotNull`. */
  readonly operands: readonly Operand[];
  /** Users, groups and files are compared by their IDs, not by their names. */
  readonly byId: boolean;
}

export interface Operand {
  /** In the form to look for in texts. */
  readonly text: string;
  /** In the form of each kind of value, if it has one. */
  readonly canonical: Readonly<Partial<Record<ValueKind, string>>>;
}

interface OperandOptions {
  readonly operator: ConditionOperator;
  readonly byId: boolean;
  readonly timezone: string;
}

/**
 * The values that a condition compares a part with.
 * @throws UserError for a value that cannot be compared, or that the part can never hold.
 */
export function readOperands(part: Part, value: unknown, options: OperandOptions): readonly Operand[] {
  return givenItems(value).map((item) => readOperand(part, item, options));
}

function readOperand(part: Part, item: unknown, options: OperandOptions): Operand {
  const { operator, byId, timezone } = options;
  const text = textOf(part, item, options);
  const whole: Operand = { text, canonical: { text: canonicalValue('text', text, timezone) ?? text } };
  const looksIntoTexts = ['contains', 'notContains', 'startsWith', 'endsWith'].includes(operator);
  if (byId || looksIntoTexts) return whole;
  const { compares } = codecOf(part);
  if (compares === undefined) return whole;
  const kinds = compares === 'result' ? ORDERED_KINDS : [compares];
  const understood = kinds.map((each) => [each, canonicalValue(each, item, timezone)] as const);
  const known = understood.filter(([, canonical]) => canonical !== null);
  if (known.length === 0) assertMayBeText(part, item, options);
  return { text, canonical: { ...whole.canonical, ...Object.fromEntries(known) } };
}

function textOf(part: Part, item: unknown, { byId, timezone }: OperandOptions): string {
  assertNotRounded(part, item);
  const text =
    memberText(item, byId) ??
    (typeof item === 'object' && item !== null ? dateText(part, item, timezone) : plainText(item));
  if (text !== null && text !== '') return text;
  throw refuse(part, item, { reason: 'it is not a value to compare with', accepts: 'a text or a number' });
}

function dateText(part: Part, item: unknown, timezone: string): string | null {
  const { write = datetime.write } = kindOf(part) === 'date' ? codecOf(part) : datetime;
  const value = write?.(item, part, { keyMode: 'name', timezone });
  return value?.kind === 'text' ? value.text : null;
}

/** An auto calculation or an ID can be compared with a text, except by greater or less. */
function assertMayBeText(part: Part, item: unknown, { operator, timezone }: OperandOptions): void {
  const { write } = codecOf(part);
  // Says what the part accepts, in the part's own words.
  write?.(item, part, { keyMode: 'name', timezone });
  if (!ordersValues(operator)) return;
  throw refuse(part, item, {
    reason: 'it cannot be put in order',
    accepts: kindOf(part) === 'number' ? 'a number' : 'a number, a date, a time or a date/time',
  });
}

/** @throws UserError naming the nearest options, if texts are not options of the part. */
export function assertOptions(part: Part, value: unknown): void {
  if (codecOf(part).choices === undefined) return;
  assertTextsOffered(
    givenItems(value).flatMap((item) => memberText(item, false) ?? plainText(item) ?? []),
    part,
    `one of: ${describeList(part.options)}; several as a list, or one per line`,
    'To find values that are no longer options, use "Contains" or the custom operator "=".',
  );
}

/**
 * The values of a condition: one value, a list, JSON text of a list, or a text with one value per line or separated by
 * tabs. Empty ones are left out.
 */
export function givenItems(value: unknown): readonly unknown[] {
  const items = typeof value === 'string' ? (jsonList(value) ?? value.split(/[\t\r\n]+/)) : value;
  return (Array.isArray(items) ? items : [items]).filter((item) => !isEmpty(item));
}

/** The id or name of a user, group or file as a read returns it; `null` for anything else. */
export function memberText(item: unknown, byId: boolean): string | null {
  if (!isObject(item) || !('id' in item || 'name' in item)) return null;
  return readText(byId ? item.id : item.name);
}
