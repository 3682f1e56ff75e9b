import { codecOf } from '../parts/codecs';
import {
  assertOptions,
  type Condition,
  type ConditionOperator,
  readOperands,
  takesNoValue,
} from '../parts/conditions/condition';
import { namePart } from '../parts/model/errors';
import { partKey } from '../parts/model/keys';
import { duplicateKeys, findPart } from '../parts/model/lookup';
import type { KeyMode, Part } from '../parts/model/part';
import { isObject, readItems, readText } from '../parts/values/shapes';
import { conditionValue, filterCondition, type FilterObject } from '../service/read/filter';
import { attempt } from '../util/concurrently';
import { asUserError, UserError } from '../util/userError';
import { assertFits, operatorLabel } from './filters';
import { wordIn } from './setting';

export interface Conditions {
  readonly asked: readonly FilterObject[];
  readonly checked: readonly Condition[];
}

/** For these, a text that is not an option of the part is refused, because it would silently find nothing. */
const CHOOSING: ReadonlySet<ConditionOperator> = new Set(['equals', 'notEquals', 'oneOf']);

/**
 * The saved conditions: those that the service knows are sent to it, the node checks the others.
 * @throws UserError naming the condition that cannot be asked or checked.
 */
export function readConditions(saved: unknown, context: QueryContext): Conditions {
  const asked: FilterObject[] = [];
  const checked: Condition[] = [];
  eachCondition(saved, (condition) => {
    const part = partOf(condition, context);
    const operator = operatorOf(condition);
    const code = typeof operator === 'string' ? SERVICE_CODES.get(operator) : operator.custom;
    // On screen, filters reach a table part only through its child parts (service-facts).
    const isOwn = code === undefined || (operator === 'isNull' && codecOf(part).holds === 'rows');
    if (typeof operator !== 'string') asked.push(askedCondition(part, operator.custom, condition, context));
    else if (isOwn) checked.push(checkedCondition(part, operator, condition, context));
    else asked.push(askedCondition(part, code, condition, context, operator));
  });
  return { asked, checked };
}

/**
 * The saved conditions where the node checks all of them itself, on values it has read (parameters.md, "Sync
 * removals").
 * @throws UserError naming the condition that it cannot check; those with an operator of the service's own are among
 * them.
 */
export function readCheckedConditions(saved: unknown, context: QueryContext): readonly Condition[] {
  const conditions: Condition[] = [];
  eachCondition(saved, (condition) => {
    const part = partOf(condition, context);
    const operator = wordIn(condition.operator) === 'custom' ? null : operatorOf(condition);
    if (typeof operator !== 'string') {
      throw new UserError(
        'the operator "Custom" cannot be used here: only the service knows what it means',
        'Select another operator. The node checks these conditions itself, on the values it reads.',
      );
    }
    conditions.push(checkedCondition(part, operator, condition, context));
  });
  return conditions;
}

/** @param operator absent for one of the service's own. What it needs is not known, so an empty value is not sent. */
function askedCondition(
  part: Part,
  code: string,
  saved: SavedCondition,
  { timezone }: QueryContext,
  operator?: ConditionOperator,
): FilterObject {
  if (operator !== undefined) assertFits(part, operator);
  if (operator === 'isNull') return filterCondition(part, code);
  const byId = isById(saved);
  if (operator === 'equals' && !byId) assertOptions(part, saved.value);
  const exact = operator !== undefined && operator !== 'contains';
  const value = conditionValue(part, saved.value, { byId, exact, timezone });
  if (value !== '') return filterCondition(part, code, value, byId);
  if (operator === undefined) return filterCondition(part, code);
  throw noValue(part);
}

function checkedCondition(
  part: Part,
  operator: ConditionOperator,
  saved: SavedCondition,
  context: QueryContext,
): Condition {
  assertFits(part, operator);
  assertReadable(part, operator, context);
  if (takesNoValue(operator)) return { part, operator, operands: [], byId: false };
  const byId = isById(saved);
  if (CHOOSING.has(operator) && !byId) assertOptions(part, saved.value);
  const { timezone } = context;
  const operands = readOperands(part, saved.value, { operator, byId, timezone });
  if (operands.length === 0) throw noValue(part);
  return { part, operator, operands, byId };
}

/** @throws UserError if the node cannot tell the part's values in a record. */
function assertReadable(part: Part, operator: ConditionOperator, { parts, keyMode }: QueryContext): void {
  const key = partKey(part, keyMode);
  if (key !== '' && key !== 'revision' && !duplicateKeys(parts, keyMode).includes(key)) return;
  const cause =
    key === '' ? `has no part ${keyMode}` : `has a part ${keyMode} that is not its own alone ("${key}")`;
  throw new UserError(
    `part ${namePart(part)} cannot be compared with "${operatorLabel(operator)}": it ${cause}, so its values cannot be read`,
    `This application uses part ${keyMode}s as keys. Change it in the application's settings, or filter on another part.`,
  );
}

function noValue(part: Part): UserError {
  return new UserError(
    `there is no value to compare part ${namePart(part)} with`,
    'Enter a value, or check the expression that should return it. To find records in which the part is empty, use the operator "Is Empty".',
  );
}

/** A condition as a workflow saves it (parameters.md, Get Many): texts, or what expressions return. */
type SavedCondition = Partial<
  Readonly<Record<'part' | 'operator' | 'customOperator' | 'value' | 'valueType', unknown>>
>;

/** The operators that the service is known to have (service-facts, "Filter"), by their saved name. */
const SERVICE_CODES: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['contains', 'contains'],
  ['gte', '>='],
  ['isNull', 'is_null'],
]);

/** What a value is compared by; an option of the part is its shown value. */
const VALUE_TYPES: readonly string[] = ['value', 'option', 'id'];

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

/** @throws UserError the refusal of a condition, with its number, counted from 1. */
function eachCondition(saved: unknown, read: (condition: SavedCondition) => void): void {
  const conditions: unknown = isObject(saved) ? saved.condition : saved;
  const list = readItems(isObject(conditions) ? [conditions] : conditions).filter(isObject);
  list.forEach((condition, index) => {
    const done = attempt(() => read(condition));
    if ('value' in done) return;
    const { message, description } = asUserError(done.error);
    throw new UserError(`Filter ${index + 1}: ${message}`, description);
  });
}

/** @throws UserError if no part is chosen, or one that cannot be filtered on. */
function partOf({ part: saved }: SavedCondition, context: QueryContext): Part {
  const text = readText(saved).trim();
  if (text === '') {
    throw new UserError('no part is selected', 'Select the part to compare, or remove this filter.');
  }
  const part = findPart(context.parts, text);
  if (codecOf(part).filterable) return part;
  const reason =
    codecOf(part).holds === 'references'
      ? 'reference lists cannot be filtered on'
      : `it has the type "${part.type}"`;
  throw new UserError(
    `part ${namePart(part)} cannot be filtered on: ${reason}`,
    'Filter on another part. A part of a type that is not known here can be named in the option "Filter (JSON)".',
  );
}

function isById({ valueType }: SavedCondition): boolean {
  const name = wordIn(valueType, 'value');
  if (VALUE_TYPES.includes(name)) return name === 'id';
  throw new UserError(`there is no way to compare by "${name}"`, `Select one of: ${VALUE_TYPES.join(', ')}.`);
}

/** The operator by its saved name; one of the service's own as it is typed. */
function operatorOf({ operator, customOperator }: SavedCondition): ConditionOperator | { custom: string } {
  const name = wordIn(operator, 'equals');
  if (name === 'custom') {
    const custom = readText(customOperator).trim();
    if (custom !== '') return { custom };
    throw new UserError('the custom operator is empty', 'Enter the operator as the service spells it.');
  }
  const known = [...SERVICE_CODES].find(([, code]) => code === name)?.[0] ?? name;
  const operators = [...SERVICE_CODES.keys(), ...NODE_OPERATORS] as readonly ConditionOperator[];
  const found = operators.find((each) => each === known);
  if (found !== undefined) return found;
  throw new UserError(
    `there is no operator "${name}"`,
    `Known operators: ${operators.join(', ')}. For any other, select "custom" and enter it as the custom operator.`,
  );
}

export interface QueryContext {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
}
