import type { Part } from '../model/part';
import type { Operand } from './operand';
import type { ConditionOperator } from './operators';

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
