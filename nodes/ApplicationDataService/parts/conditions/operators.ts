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

const ORDERING: ReadonlySet<ConditionOperator> = new Set(['gt', 'gte', 'lt', 'lte']);
const LOOKING_INTO: ReadonlySet<ConditionOperator> = new Set([
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
]);

/** Whether an operator compares by order. */
export function ordersValues(operator: ConditionOperator): boolean {
  return ORDERING.has(operator);
}

/** Whether an operator compares parts of a text. */
export function looksIntoTexts(operator: ConditionOperator): boolean {
  return LOOKING_INTO.has(operator);
}

/** Whether an operator only checks whether there is a value. */
export function takesNoValue(operator: ConditionOperator): boolean {
  return operator === 'isNull' || operator === 'isNotNull';
}
