import {
  type Condition,
  type ConditionOperator,
  readOperands,
  sentValues,
  takesNoValue,
} from '../parts/conditions/condition';
import { namePart } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import { assertReadable, keyObstacle } from '../parts/model/obstacle';
import { isSeveral, type KeyMode, type Part } from '../parts/model/part';
import { describeValue } from '../parts/values/describe';
import { isBlank, isObject, readText } from '../parts/values/shapes';
import { filterCondition, type FilterObject } from '../service/read/recordList';
import { attempt } from '../util/concurrently';
import { asUserError, UserError } from '../util/userError';
import { assertFits, OPERATOR_NAMES } from './filters';
import { oneOf, wordIn } from './setting';

export interface QueryContext {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
}

/** What one condition asks of the service, and what of the node: one of them, or the same of both. */
export interface ReadCondition {
  readonly filter?: FilterObject;
  readonly check?: Condition;
}

/**
 * The saved conditions: those that the service knows are sent to it, the node checks the others.
 * @throws UserError naming the condition that cannot be asked or checked.
 */
export function readConditions(saved: unknown, context: QueryContext): readonly ReadCondition[] {
  return readEach(saved, context, (part, operator, condition) => {
    if (operator === 'custom') return { filter: customFilter(part, condition, context) };
    // On screen, filters reach a table part only through its child parts (service-facts).
    const code = part.codec.content === 'rows' ? undefined : SERVICE_CODES.get(operator);
    return code === undefined
      ? { check: checked(part, operator, condition, context) }
      : asked(part, operator, code, condition, context);
  });
}

/**
 * The saved conditions where the node checks all of them itself, on values it has read (parameters.md, "Sync
 * removals").
 * @throws UserError naming the condition that it cannot check; those with an operator of the service's own are among
 * them.
 */
export function readCheckedConditions(saved: unknown, context: QueryContext): readonly Condition[] {
  return readEach(saved, context, (part, operator, condition) => {
    if (operator !== 'custom') return checked(part, operator, condition, context);
    throw new UserError(
      'The operator "Custom" cannot be used here: only the service knows what it means',
      'Select another operator. The node checks these conditions itself, on the values it reads.',
    );
  });
}

/**
 * A condition that the service checks. Of several choices, people and groups it is asked which records hold one, and
 * the node looks which hold it as it is written (parameters.md, Get Many).
 */
function asked(
  part: Part,
  operator: ConditionOperator,
  code: string,
  saved: SavedCondition,
  context: QueryContext,
): ReadCondition {
  const condition = readCondition(part, operator, saved, context);
  const { operands, byId } = condition;
  if (takesNoValue(operator)) return { filter: filterCondition(part, code) };
  const isOneOfSeveral = isSeveral(part) && (operator === 'equals' || operator === 'contains');
  const filter = filterCondition(part, isOneOfSeveral ? 'contains' : code, sentValues(part, operands), byId);
  if (!isOneOfSeveral) return { filter };
  if (operator === 'equals') assertReadable(part, context.parts, context.keyMode, unreadable(part, context));
  // A record shows choices without their IDs, and no part that has no key of its own.
  const isShown = unreadable(part, context) === null && !(byId && part.codec.choices !== undefined);
  return isShown ? { filter, check: condition } : { filter };
}

/** What an operator of the service's own needs is not known: it may do without a value. */
function customFilter(part: Part, saved: SavedCondition, { timezone }: QueryContext): FilterObject {
  const code = readText(saved.customOperator).trim();
  if (code === '')
    throw new UserError('The custom operator is empty', 'Enter the operator as the service spells it.');
  const byId = isById(saved);
  const value = Object.hasOwn(saved, 'value') ? saved.value : '';
  if (isNothing(value)) throw noValue(part);
  const operands = readOperands(part, value, { operator: 'custom', byId, timezone });
  if (operands.length === 0) return filterCondition(part, code);
  return filterCondition(part, code, sentValues(part, operands), byId);
}

function checked(
  part: Part,
  operator: ConditionOperator,
  saved: SavedCondition,
  context: QueryContext,
): Condition {
  assertFits(part, operator);
  assertReadable(part, context.parts, context.keyMode, unreadable(part, context));
  return readCondition(part, operator, saved, context);
}

/** @throws UserError if no part of this type can be compared in this way, or there is nothing to compare with. */
function readCondition(
  part: Part,
  operator: ConditionOperator,
  saved: SavedCondition,
  { timezone }: QueryContext,
): Condition {
  assertFits(part, operator);
  if (takesNoValue(operator)) return { part, operator, operands: [], byId: false };
  const byId = isById(saved);
  const operands = readOperands(part, saved.value, { operator, byId, timezone });
  if (operands.length === 0) throw noValue(part);
  return { part, operator, operands, byId };
}

function noValue(part: Part): UserError {
  return new UserError(
    `There is no value to compare part ${namePart(part)} with`,
    'Enter a value, or check the expression that should return it. To find records in which the part is empty, use the operator "Is Empty".',
  );
}

/** Why the node cannot tell a part's values in a record; `null` if it can. */
function unreadable(part: Part, { parts, keyMode }: QueryContext): string | null {
  const isRevision = part[keyMode] === 'revision' ? 'it has the key of the revision, "revision"' : null;
  return keyObstacle(part, parts, keyMode) ?? isRevision;
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
const VALUE_TYPES = ['value', 'option', 'id'] as const;

/** @throws UserError the refusal of a condition, with its number, counted from 1. */
function readEach<T>(
  saved: unknown,
  { parts }: QueryContext,
  read: (part: Part, operator: ConditionOperator | 'custom', condition: SavedCondition) => T,
): T[] {
  return savedConditions(saved).map((condition, index) => {
    const done = attempt(() => {
      assertComplete(condition);
      return read(partOf(condition, parts), operatorOf(condition), condition);
    });
    if ('value' in done) return done.value;
    const error = asUserError(done.error);
    throw error.reworded(`Filter ${index + 1}: ${error.message}`);
  });
}

/** A filter that is lost would be met by every record, so what is no list of conditions is refused. */
function savedConditions(saved: unknown): readonly unknown[] {
  if (isBlank(saved) || (isObject(saved) && Object.keys(saved).length === 0)) return [];
  const conditions = isObject(saved) ? saved.condition : saved;
  if (Array.isArray(conditions)) return conditions;
  throw new UserError(
    `The filters are no list of conditions, but ${describeValue(conditions)}`,
    'Check the expression that returns them. Each is an object with part, operator and value.',
  );
}

/** What is absent has its default; what an expression was to give, and did not, has none. */
function assertComplete(condition: unknown): asserts condition is SavedCondition {
  if (!isObject(condition)) throw new UserError(`It is no condition, but ${describeValue(condition)}`, '');
  const more = takesNoValue(readText(condition.operator)) ? [] : ['customOperator', 'valueType'];
  for (const key of ['part', 'operator', ...more]) {
    if (!Object.hasOwn(condition, key) || !isNothing(condition[key])) continue;
    throw new UserError(
      `Its "${key}" is empty: the expression returned nothing`,
      'Check the expression. Without it, the filter would mean something else.',
    );
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** @throws UserError if no part is chosen, or one that cannot be filtered on. */
function partOf({ part: saved }: SavedCondition, parts: readonly Part[]): Part {
  const text = readText(saved);
  if (text.trim() === '')
    throw new UserError('No part is selected', 'Select the part to compare, or remove this filter.');
  const part = findPart(parts, text);
  if (part.codec.filterable === true) return part;
  const isList = part.codec.content === 'references';
  throw new UserError(
    `Part ${namePart(part)} cannot be filtered on: ${
      isList ? 'reference lists cannot be filtered on' : `it has the type "${part.type}"`
    }`,
    'Filter on another part. A part of a type that is not known here can be named in the option "Filter (JSON)".',
  );
}

function isById({ valueType }: SavedCondition): boolean {
  return oneOf(VALUE_TYPES, wordIn(valueType, 'value'), 'way to compare by') === 'id';
}

/** The operator by its saved name, or as the service spells it. */
function operatorOf({ operator }: SavedCondition): ConditionOperator | 'custom' {
  const name = wordIn(operator, 'equals');
  const known = [...SERVICE_CODES].find(([, code]) => code === name)?.[0] ?? name;
  return oneOf(
    OPERATOR_NAMES,
    known,
    'operator',
    'For any other, select "custom" and enter it as the custom operator.',
  );
}
