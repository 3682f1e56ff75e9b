import { type Condition, type ConditionOperator, readOperands, sentValues, takesNoValue } from '../parts/conditions/condition';
import { namePart } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import { keyObstacle } from '../parts/model/obstacle';
import { isSeveral, type KeyMode, type Part } from '../parts/model/part';
import { describeValue, shorten } from '../parts/values/describe';
import { isBlank, isObject, readText } from '../parts/values/shapes';
import { filterCondition, type FilterObject } from '../service/read/filter';
import { attempt } from '../util/concurrently';
import { asUserError, UserError } from '../util/userError';
import { assertFits, OPERATOR_NAMES, operatorLabel } from './filters';
import { wordIn } from './setting';

export interface QueryContext {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
}

/** A condition for the service. */
export interface AskedCondition {
  readonly filter: FilterObject;
  /** The same for the node, where nobody has written down what the service finds. */
  readonly check: readonly Condition[];
}

export interface Conditions {
  readonly asked: readonly AskedCondition[];
  readonly checked: readonly Condition[];
}

/**
 * The saved conditions: those that the service knows are sent to it, the node checks the others.
 * @throws UserError naming the condition that cannot be asked or checked.
 */
export function readConditions(saved: unknown, context: QueryContext): Conditions {
  const asked: AskedCondition[] = [];
  const checked: Condition[] = [];
  eachCondition(saved, context, (part, operator, condition) => {
    if (operator === 'custom') asked.push(customCondition(part, condition, context));
    // On screen, filters reach a table part only through its child parts (service-facts).
    else if (SERVICE_CODES.has(operator) && part.codec.content !== 'rows')
      asked.push(askedCondition(part, operator, condition, context));
    else checked.push(checkedCondition(part, operator, condition, context));
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
  eachCondition(saved, context, (part, operator, condition) => {
    if (operator === 'custom') {
      throw new UserError(
        'the operator "Custom" cannot be used here: only the service knows what it means',
        'Select another operator. The node checks these conditions itself, on the values it reads.',
      );
    }
    conditions.push(checkedCondition(part, operator, condition, context));
  });
  return conditions;
}

/**
 * A condition that the service checks. Of several choices, people and groups it is asked which records hold one, and
 * the node looks which hold it as it is written (parameters.md, Get Many).
 */
function askedCondition(
  part: Part,
  operator: ConditionOperator,
  saved: SavedCondition,
  context: QueryContext,
): AskedCondition {
  assertFits(part, operator);
  const code = SERVICE_CODES.get(operator) ?? operator;
  if (takesNoValue(operator)) return { filter: filterCondition(part, code), check: [] };
  const byId = isById(saved);
  const operands = operandsOf(part, operator, saved, byId, context);
  const isOneOfSeveral = isSeveral(part) && (operator === 'equals' || operator === 'contains');
  const filter = filterCondition(part, isOneOfSeveral ? 'contains' : code, sentValues(part, operands), byId);
  if (isOneOfSeveral && operator === 'equals') assertReadable(part, operator, context);
  // A record shows choices without their IDs, and no part that has no key of its own.
  const isShown = keyCause(part, context) === null && !(byId && part.codec.choices !== undefined);
  const isChecked = isOneOfSeveral && isShown;
  return { filter, check: isChecked ? [{ part, operator, operands, byId }] : [] };
}

/** What an operator of the service's own needs is not known: it may do without a value. */
function customCondition(part: Part, saved: SavedCondition, { timezone }: QueryContext): AskedCondition {
  const code = readText(saved.customOperator).trim();
  if (code === '')
    throw new UserError('the custom operator is empty', 'Enter the operator as the service spells it.');
  const byId = isById(saved);
  const value = Object.hasOwn(saved, 'value') ? saved.value : '';
  if (isNothing(value)) throw noValue(part);
  const operands = readOperands(part, value, { operator: 'custom', byId, timezone });
  const sent = operands.length === 0 ? undefined : sentValues(part, operands);
  return { filter: filterCondition(part, code, sent, sent !== undefined && byId), check: [] };
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
  return { part, operator, operands: operandsOf(part, operator, saved, byId, context), byId };
}

/** @throws UserError if there is nothing to compare with. */
function operandsOf(
  part: Part,
  operator: ConditionOperator,
  { value }: SavedCondition,
  byId: boolean,
  { timezone }: QueryContext,
): Condition['operands'] {
  const operands = readOperands(part, value, { operator, byId, timezone });
  if (operands.length > 0) return operands;
  throw noValue(part);
}

function noValue(part: Part): UserError {
  return new UserError(
    `there is no value to compare part ${namePart(part)} with`,
    'Enter a value, or check the expression that should return it. To find records in which the part is empty, use the operator "Is Empty".',
  );
}

/** Why the node cannot tell a part's values in a record; `null` if it can. */
function keyCause(part: Part, { parts, keyMode }: QueryContext): string | null {
  const isRevision = part[keyMode] === 'revision' ? 'it has the key of the revision, "revision"' : null;
  return keyObstacle(part, parts, keyMode) ?? isRevision;
}

/** @throws UserError if the node cannot tell the part's values in a record. */
function assertReadable(part: Part, operator: ConditionOperator, context: QueryContext): void {
  const cause = keyCause(part, context);
  if (cause === null) return;
  const { keyMode } = context;
  throw new UserError(
    `part ${namePart(part)} cannot be compared with "${operatorLabel(operator)}": ${cause}, so its values cannot be read`,
    `This application uses part ${keyMode}s as keys. Change it in the application's settings, or filter on another part.`,
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

/** @throws UserError the refusal of a condition, with its number, counted from 1. */
function eachCondition(
  saved: unknown,
  context: QueryContext,
  read: (part: Part, operator: ConditionOperator | 'custom', condition: SavedCondition) => void,
): void {
  for (const [index, condition] of savedConditions(saved).entries()) {
    const done = attempt(() => {
      assertComplete(condition);
      read(partOf(condition, context), operatorOf(condition), condition);
    });
    if ('value' in done) continue;
    const error = asUserError(done.error);
    throw error.reworded(`Filter ${index + 1}: ${error.message}`);
  }
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
  if (!isObject(condition)) throw new UserError(`it is no condition, but ${describeValue(condition)}`, '');
  const more = takesNoValue(readText(condition.operator)) ? [] : ['customOperator', 'valueType'];
  for (const key of ['part', 'operator', ...more]) {
    if (!Object.hasOwn(condition, key) || !isNothing(condition[key])) continue;
    throw new UserError(
      `its "${key}" is empty: the expression returned nothing`,
      'Check the expression. Without it, the filter would mean something else.',
    );
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** @throws UserError if no part is chosen, or one that cannot be filtered on. */
function partOf({ part: saved }: SavedCondition, context: QueryContext): Part {
  const text = readText(saved);
  if (text.trim() === '') {
    throw new UserError('no part is selected', 'Select the part to compare, or remove this filter.');
  }
  const part = findPart(context.parts, text);
  if (part.codec.filterable) return part;
  const reason =
    part.codec.content === 'references'
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
  throw new UserError(
    `there is no way to compare by "${shorten(name, 60)}"`,
    `Select one of: ${VALUE_TYPES.join(', ')}.`,
  );
}

/** The operator by its saved name, or as the service spells it. */
function operatorOf({ operator }: SavedCondition): ConditionOperator | 'custom' {
  const name = wordIn(operator, 'equals');
  const known = [...SERVICE_CODES].find(([, code]) => code === name)?.[0] ?? name;
  if (OPERATOR_NAMES.includes(known)) return known as ConditionOperator | 'custom';
  throw new UserError(
    `there is no operator "${shorten(name, 60)}"`,
    `Known operators: ${OPERATOR_NAMES.join(', ')}. For any other, select "custom" and enter it as the custom operator.`,
  );
}
