import { ordersValues, takesNoValue, type ConditionOperator } from '../parts/conditions/operators';
import { namePart } from '../parts/model/errors';
import { partKey } from '../parts/model/keys';
import { duplicateKeys } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { UserError } from '../util/userError';
import { operatorLabel } from './filters';
import type { QueryContext } from './queryContext';

const ORDERED_TYPES: ReadonlySet<string> = new Set([
  'number',
  'date',
  'time',
  'datetime',
  'id',
  'expression',
]);

/** @throws UserError if the node cannot say whether a record meets such a condition. */
export function assertCheckable(
  part: Part,
  operator: ConditionOperator,
  { parts, keyMode }: QueryContext,
): void {
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
