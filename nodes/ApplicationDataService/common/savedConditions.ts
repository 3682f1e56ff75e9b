import { codecOf } from '../parts/codecs';
import type { ConditionOperator } from '../parts/conditions/operators';
import { namePart } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject } from '../parts/values/shapes';
import { readItems, readText } from '../parts/values/wire';
import { asUserError, UserError } from '../util/userError';
import type { QueryContext } from './queryContext';
import { wordIn } from './setting';

/** A condition as a workflow saves it (parameters.md, Get Many): texts, or what expressions return. */
export interface SavedCondition {
  readonly part?: unknown;
  readonly operator?: unknown;
  readonly customOperator?: unknown;
  readonly value?: unknown;
  readonly valueType?: unknown;
}

/** The operators that the service is known to have (service-facts, "Filter"), by their saved name. */
export const SERVICE_CODES: ReadonlyMap<string, string> = new Map([
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
export function eachCondition(saved: unknown, read: (condition: SavedCondition) => void): void {
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

/** @throws UserError if no part is chosen, or one that cannot be filtered on. */
export function partOf({ part: saved }: SavedCondition, context: QueryContext): Part {
  const text = readText(saved).trim();
  if (text === '') {
    throw new UserError('no part is selected', 'Select the part to compare, or remove this filter.');
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

/** Whether the operator is one of the service's own, typed by the user. */
export function isCustom({ operator }: SavedCondition): boolean {
  return readText(operator).trim() === 'custom';
}

/** Whether the value is an ID of a user, a group or an option. */
export function isById({ valueType }: SavedCondition): boolean {
  const name = wordIn(valueType, 'value');
  if (VALUE_TYPES.includes(name)) return name === 'id';
  throw new UserError(`there is no way to compare by "${name}"`, `Select one of: ${VALUE_TYPES.join(', ')}.`);
}

/** The operator by its saved name; one of the service's own as it is typed. */
export function operatorOf({
  operator,
  customOperator,
}: SavedCondition): ConditionOperator | { custom: string } {
  const name = wordIn(operator, 'equals');
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
    `Known operators: ${operators.join(', ')}. For any other, select "custom" and enter it as the custom operator.`,
  );
}
