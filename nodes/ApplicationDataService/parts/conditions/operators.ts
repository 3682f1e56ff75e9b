/** What a condition may ask of a part, by the names that workflows save (parameters.md, Get Many). */
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

/** Whether an operator asks for what is greater or less. */
export function ordersValues(operator: ConditionOperator): boolean {
  return ORDERING.has(operator);
}

/** Whether an operator looks at a part of a text. */
export function looksIntoTexts(operator: ConditionOperator): boolean {
  return LOOKING_INTO.has(operator);
}

/** Whether an operator asks only whether there is a value. */
export function takesNoValue(operator: ConditionOperator): boolean {
  return operator === 'isNull' || operator === 'isNotNull';
}
