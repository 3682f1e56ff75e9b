import type { Part, ValueKind } from '../model/part';

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
export function ordersValues(operator: string): boolean {
  return ['gt', 'gte', 'lt', 'lte'].includes(operator);
}

/** Whether an operator looks at a part of a text, or at a whole one where a part holds several. */
export function looksIntoTexts(operator: string): boolean {
  return ['contains', 'notContains', 'startsWith', 'endsWith'].includes(operator);
}

/** Whether an operator only checks whether there is a value. */
export function takesNoValue(operator: string): boolean {
  return operator === 'isNull' || operator === 'isNotNull';
}

/** Whether a record must meet all conditions, or one of them. */
export type MatchMode = 'all' | 'any';

/** A value of a condition. */
export interface Operand {
  /** In the form to look for in texts. */
  readonly text: string;
  /** In the form in which the service takes it (service-facts, "Filter"). */
  readonly sent: string;
  /** In the form of each kind of value, if it has one. */
  readonly canonical: Readonly<Partial<Record<ValueKind, string>>>;
}

/** A condition that the node checks itself, on a record it has read. */
export interface Condition {
  readonly part: Part;
  readonly operator: ConditionOperator;
  /** The values to compare the part with; none for `isNull` and `isNotNull`. */
  readonly operands: readonly Operand[];
  /** Users, groups and files are compared by their IDs, not by their names. */
  readonly byId: boolean;
}
