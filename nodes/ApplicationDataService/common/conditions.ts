import { asUserError, UserError } from '../util/userError';
import { assertAnOption, readOperands } from '../parts/conditions/operand';
import type { Condition } from '../parts/conditions/condition';
import { ordersValues, takesNoValue, type ConditionOperator } from '../parts/conditions/operators';
import { givenItems } from '../parts/conditions/given';
import { codecOf } from '../parts/codecs';
import { namePart } from '../parts/model/errors';
import { partKey } from '../parts/model/keys';
import { duplicateKeys, findPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject } from '../parts/values/shapes';
import { readItems, readText } from '../parts/values/wire';
import { conditionValue } from '../service/read/conditionValue';
import type { FilterObject } from './filterJson';
import { operatorLabel } from './filters';
import type { QueryContext } from './queryContext';

/** A condition as a workflow saves it (parameters.md, Get Many). Texts, or what expressions give. */
interface SavedCondition {
  readonly part?: unknown;
  readonly operator?: unknown;
  readonly customOperator?: unknown;
  readonly value?: unknown;
  readonly valueType?: unknown;
}

/** Conditions, by who looks whether a record meets them. */
export interface Conditions {
  /** As the service takes them. */
  readonly asked: readonly FilterObject[];
  /** Those that the node checks on the records it reads. */
  readonly checked: readonly Condition[];
}

/** The operators that the service is known to have (service-facts, "Filter"), by their saved name. */
const SERVICE_CODES: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['contains', 'contains'],
  ['gte', '>='],
  ['isNull', 'is_null'],
]);

const NODE_OPERATORS: readonly ConditionOperator[] = [
  'notEquals',
  'oneOf',
  'gt',
  'lt',
  'lte',
  'notContains',
  'startsWith',
  'endsWith',
  'isNotNull',
];

/** A text that is no option of the part is refused for these, because it finds nothing without a word. */
const CHOOSING: ReadonlySet<ConditionOperator> = new Set(['equals', 'notEquals', 'oneOf']);

/**
 * The saved conditions: what the service knows is asked of it, the node checks the others.
 * @throws UserError naming the condition that cannot be asked or checked.
 */
export function readConditions(saved: unknown, context: QueryContext): Conditions {
  const asked: FilterObject[] = [];
  const checked: Condition[] = [];
  eachCondition(saved, (condition) => {
    const part = partOf(condition, context);
    const operator = operatorOf(condition);
    const code = typeof operator === 'string' ? SERVICE_CODES.get(operator) : operator.custom;
    if (typeof operator !== 'string') asked.push(askedCondition(part, operator.custom, condition, context));
    else if (code === undefined) checked.push(checkedCondition(part, operator, condition, context));
    else asked.push(askedCondition(part, code, condition, context, operator));
  });
  return { asked, checked };
}

/**
 * The saved conditions where the node checks all of them itself, on values it has read (parameters.md, "Sync removals").
 * @throws UserError naming the condition that it cannot check; those with an operator of the service's own are among them.
 */
export function readCheckedConditions(saved: unknown, context: QueryContext): readonly Condition[] {
  const conditions: Condition[] = [];
  eachCondition(saved, (condition) => {
    const part = partOf(condition, context);
    const operator = isCustom(condition) ? null : operatorOf(condition);
    if (typeof operator === 'string') {
      conditions.push(checkedCondition(part, operator, condition, context));
      return;
    }
    throw new UserError(
      'the operator "Custom" cannot be used here: only the service knows what it means',
      'Choose another operator. The node checks these conditions itself, on the values it reads.',
    );
  });
  return conditions;
}

/**
 * Whether the node checks any of the saved conditions itself, for which it has to read records.
 * @throws UserError naming the condition with an operator that does not exist.
 */
export function checksAny(saved: unknown): boolean {
  let found = false;
  eachCondition(saved, (condition) => {
    const operator = operatorOf(condition);
    found ||= typeof operator === 'string' && !SERVICE_CODES.has(operator);
  });
  return found;
}

/** @throws UserError the refusal of a condition, with its number; they count from 1, as a person does. */
function eachCondition(saved: unknown, read: (condition: SavedCondition) => void): void {
  const conditions: unknown = isObject(saved) ? saved.condition : saved;
  const list = readItems(isObject(conditions) ? [conditions] : conditions).filter(isObject);
  list.forEach((condition, index) => {
    try {
      read(condition);
    } catch (error) {
      throw inCondition(index, asUserError(error));
    }
  });
}

function inCondition(index: number, { message, description }: UserError): UserError {
  return new UserError(`Filter ${index + 1}: ${message}`, description);
}

function partOf({ part: saved }: SavedCondition, context: QueryContext): Part {
  const text = readText(saved).trim();
  if (text === '') {
    throw new UserError('no part is chosen', 'Choose the part to compare, or remove this filter.');
  }
  const part = findPart(context.parts, text);
  if (codecOf(part).filterable) return part;
  const reason =
    part.type === 'rel_list' ? 'reference lists cannot be filtered on' : `it has the type "${part.type}"`;
  throw new UserError(
    `part ${namePart(part)} cannot be filtered on: ${reason}`,
    'Filter on another part. A part of a type that is not known here can be named in the option "Filter (JSON)".',
  );
}

function isCustom({ operator }: SavedCondition): boolean {
  return readText(operator).trim() === 'custom';
}

/** The operator by its saved name; one of the service's own as it is typed. */
function operatorOf({ operator, customOperator }: SavedCondition): ConditionOperator | { custom: string } {
  const name = readText(operator).trim() || 'equals';
  if (name === 'custom') {
    const custom = readText(customOperator).trim();
    if (custom !== '') return { custom };
    throw new UserError('the custom operator is empty', 'Enter the operator as the service spells it.');
  }
  const known = [...SERVICE_CODES].find(([saved, code]) => saved === name || code === name)?.[0] ?? name;
  const operators = [...SERVICE_CODES.keys(), ...NODE_OPERATORS] as readonly ConditionOperator[];
  const found = operators.find((each) => each === known);
  if (found !== undefined) return found;
  throw new UserError(
    `there is no operator "${name}"`,
    `Known operators: ${operators.join(', ')}. For any other, choose "custom" and enter it as the custom operator.`,
  );
}

/** @param operator absent for one of the service's own: what it needs is not known, and an empty value is sent as none. */
function askedCondition(
  part: Part,
  code: string,
  saved: SavedCondition,
  { timezone }: QueryContext,
  operator?: ConditionOperator,
): FilterObject {
  const condition = { field_id: part.id, operator: code };
  if (operator === 'isNull' || (operator === undefined && code === 'is_null')) return condition;
  const byId = saved.valueType === 'id';
  if (operator === 'equals' && !byId) assertOptions(part, saved.value);
  const exact = operator !== undefined && operator !== 'contains';
  const value = conditionValue(part, saved.value, { byId, exact, timezone });
  if (value !== '') return { ...condition, value, ...(byId && { type: 'id' }) };
  if (operator === undefined) return condition;
  throw noValue(part);
}

function checkedCondition(
  part: Part,
  operator: ConditionOperator,
  saved: SavedCondition,
  context: QueryContext,
): Condition {
  assertCheckable(part, operator, context);
  const byId = saved.valueType === 'id';
  if (takesNoValue(operator)) return { part, operator, operands: [], byId };
  if (CHOOSING.has(operator) && !byId) assertOptions(part, saved.value);
  const { timezone } = context;
  const operands = readOperands(part, saved.value, { operator, byId, timezone });
  if (operands.length === 0) throw noValue(part);
  return { part, operator, operands, byId };
}

function noValue(part: Part): UserError {
  return new UserError(
    `there is no value to compare part ${namePart(part)} with`,
    'Enter a value, or check the expression that should return it. To find records in which the part is empty, use the operator "Is Empty".',
  );
}

const ORDERED_TYPES: ReadonlySet<string> = new Set([
  'number',
  'date',
  'time',
  'datetime',
  'id',
  'expression',
]);

/** @throws UserError where the node cannot say whether a record meets such a condition. */
function assertCheckable(part: Part, operator: ConditionOperator, { parts, keyMode }: QueryContext): void {
  const label = operatorLabel(operator);
  if (part.type === 'input_list' && !takesNoValue(operator)) {
    throw new UserError(
      `table part ${namePart(part)} cannot be compared with "${label}"`,
      'For a table part, the node can only check whether it is empty. Choose "Is Empty", "Is Not Empty", or another part.',
    );
  }
  if (ordersValues(operator) && !ORDERED_TYPES.has(part.type)) {
    throw new UserError(
      `part ${namePart(part)} cannot be compared with "${label}": it holds no numbers, dates or times`,
      'Choose another operator, or a part of type number, date, time, date/time or ID.',
    );
  }
  const key = partKey(part, keyMode);
  if (key !== '' && key !== 'revision' && !duplicateKeys(parts, keyMode).includes(key)) return;
  const cause =
    key === '' ? `has no part ${keyMode}` : `has a part ${keyMode} that is not its own alone ("${key}")`;
  throw new UserError(
    `part ${namePart(part)} cannot be compared with "${label}": it ${cause}, so its values cannot be read`,
    `This application uses part ${keyMode}s as keys. Change it in the application's settings, or filter on another part.`,
  );
}

/** A text that is no option of the part is a slip, and finds nothing (parameters.md, Settled questions). */
function assertOptions(part: Part, value: unknown): void {
  for (const item of givenItems(value)) assertAnOption(part, item);
}
