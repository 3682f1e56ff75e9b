import type { Condition } from '../parts/conditions/condition';
import { assertOptions, readOperands } from '../parts/conditions/operand';
import { type ConditionOperator, takesNoValue } from '../parts/conditions/operators';
import { namePart } from '../parts/model/errors';
import { partKey } from '../parts/model/keys';
import { duplicateKeys } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { conditionValue, filterCondition, type FilterObject } from '../service/read/filter';
import { UserError } from '../util/userError';
import { assertFits, operatorLabel } from './filters';
import type { QueryContext } from './queryContext';
import {
  eachCondition,
  isById,
  isCustom,
  operatorOf,
  partOf,
  type SavedCondition,
  SERVICE_CODES,
} from './savedConditions';

/** Conditions, by who checks them. */
export interface Conditions {
  /** In the form that the service accepts. */
  readonly asked: readonly FilterObject[];
  /** Those that the node checks on the records it reads. */
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
    if (typeof operator !== 'string') asked.push(askedCondition(part, operator.custom, condition, context));
    else if (code === undefined) checked.push(checkedCondition(part, operator, condition, context));
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
    const operator = isCustom(condition) ? null : operatorOf(condition);
    if (typeof operator === 'string') {
      conditions.push(checkedCondition(part, operator, condition, context));
      return;
    }
    throw new UserError(
      'the operator "Custom" cannot be used here: only the service knows what it means',
      'Select another operator. The node checks these conditions itself, on the values it reads.',
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

/** @param operator absent for one of the service's own. What it needs is not known, so an empty value is not sent. */
function askedCondition(
  part: Part,
  code: string,
  saved: SavedCondition,
  { timezone }: QueryContext,
  operator?: ConditionOperator,
): FilterObject {
  if (operator !== undefined) assertFits(part, operator);
  const isEmptiness =
    operator === 'isNull' || (operator === undefined && code === SERVICE_CODES.get('isNull'));
  if (isEmptiness) return filterCondition(part, code);
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
