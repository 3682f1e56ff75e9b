import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { asUserError, UserError } from '../util/userError';
import { namePart } from '../parts/model/errors';
import { codecOf } from '../parts/codecs';
import { findPart } from '../parts/model/lookup';
import { isObject } from '../parts/values/shapes';
import { readItems, readText } from '../parts/values/wire';
import { conditionValue } from '../service/read/conditionValue';
import { filterJsonText, readFilterJson, type FilterObject } from './filterJson';
import type { QueryContext } from './queryContext';

/** By use, not by the alphabet: what is known first, the free one last. */
const OPERATORS: INodePropertyOptions[] = [
  { name: 'Equals', value: 'equals' },
  { name: 'Contains', value: 'contains' },
  { name: 'Is Greater Than or Equal To', value: 'gte' },
  { name: 'Is Empty', value: 'isNull' },
  { name: 'Custom', value: 'custom', description: 'Any other operator that the service knows' },
];

/** One condition, in the order in which a person reads it. */
const CONDITION: INodeProperties[] = [
  {
    displayName: 'Part Name or ID',
    name: 'part',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getFilterParts', loadOptionsDependsOn: ['application.value'] },
    default: '',
    description:
      'Part to compare. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Operator',
    name: 'operator',
    type: 'options',
    options: OPERATORS,
    default: 'equals',
  },
  {
    displayName: 'Custom Operator',
    name: 'customOperator',
    type: 'string',
    displayOptions: { show: { operator: ['custom'] } },
    default: '',
    placeholder: 'e.g. <=',
    description: 'The operator as the service spells it; the value may stay empty where it needs none',
  },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    displayOptions: { hide: { operator: ['isNull'] } },
    default: '',
    description:
      'Value to compare with; several as a list, or one a line. Dates as yyyy-MM-dd, times as HH:mm, with an offset they are converted to the time zone.',
  },
  {
    displayName: 'Value Type',
    name: 'valueType',
    type: 'options',
    displayOptions: { hide: { operator: ['isNull'] } },
    options: [
      { name: 'Value', value: 'value', description: 'The value as it is shown, e.g. the name of a user' },
      { name: 'ID', value: 'id', description: 'The ID of a user, a group or a choice' },
    ],
    default: 'value',
  },
];

/** Conditions that the records meet, all of them. */
export const filtersProperty: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add filter',
  default: {},
  description: 'Only records that meet all of these conditions',
  options: [{ displayName: 'Condition', name: 'condition', values: CONDITION }],
};

/** A condition as a workflow saves it (parameters.md, Get Many). Texts, or what expressions give. */
interface SavedCondition {
  readonly part?: unknown;
  readonly operator?: unknown;
  readonly customOperator?: unknown;
  readonly value?: unknown;
  readonly valueType?: unknown;
}

/** The operators that are known, by their saved name (service-facts, "Filter"). */
export const OPERATOR_CODES: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['contains', 'contains'],
  ['gte', '>='],
  ['isNull', 'is_null'],
]);

/**
 * The `filter` parameter of list_data and count_data: the saved conditions and those of the filter JSON, all of them.
 * `undefined` where nothing is narrowed.
 * @throws UserError naming the condition that cannot be asked.
 */
export function filterText(filters: unknown, filterJson: unknown, context: QueryContext): string | undefined {
  const conditions = savedConditions(filters).map((condition, index) => {
    try {
      return readCondition(condition, context);
    } catch (error) {
      throw inCondition(index, error);
    }
  });
  const filter = combine(conditions, readFilterJson(filterJson));
  return filter === null ? undefined : filterJsonText(filter);
}

function savedConditions(filters: unknown): readonly SavedCondition[] {
  const conditions: unknown = isObject(filters) ? filters.condition : filters;
  return readItems(isObject(conditions) ? [conditions] : conditions).filter(isObject);
}

function readCondition(saved: SavedCondition, context: QueryContext): FilterObject {
  const text = readText(saved.part).trim();
  if (text === '') {
    throw new UserError('no part is chosen', 'Choose the part to compare, or remove this filter.');
  }
  const part = findPart(context.parts, text);
  if (!codecOf(part).filterable) {
    const reason =
      part.type === 'rel_list' ? 'reference lists cannot be filtered on' : `it has the type "${part.type}"`;
    throw new UserError(
      `part ${namePart(part)} cannot be filtered on: ${reason}`,
      'Filter on another part. A part of a type that is not known here can be named in the option "Filter (JSON)".',
    );
  }
  const { code, needsValue, known } = operatorOf(saved);
  const condition = { field_id: part.id, operator: code };
  if (code === 'is_null') return condition;
  const byId = saved.valueType === 'id';
  const value = conditionValue(part, saved.value, {
    byId,
    exact: known && code !== 'contains',
    timezone: context.timezone,
  });
  if (value === '') {
    if (!needsValue) return condition;
    throw new UserError(
      `there is no value to compare part ${namePart(part)} with`,
      'Enter a value, or check the expression that should give it. To find records in which the part is empty, use the operator "Is Empty".',
    );
  }
  return { ...condition, value, ...(byId && { type: 'id' }) };
}

function operatorOf({ operator, customOperator }: SavedCondition): {
  code: string;
  needsValue: boolean;
  known: boolean;
} {
  const name = readText(operator).trim() || 'equals';
  if (name === 'custom') {
    const code = readText(customOperator).trim();
    // What another operator needs is not known: an empty value is sent as none.
    if (code !== '') return { code, needsValue: false, known: false };
    throw new UserError('the custom operator is empty', 'Enter the operator as the service spells it.');
  }
  const code = OPERATOR_CODES.get(name) ?? ([...OPERATOR_CODES.values()].includes(name) ? name : undefined);
  if (code !== undefined) return { code, needsValue: true, known: true };
  throw new UserError(
    `there is no operator "${name}"`,
    `Known are: ${[...OPERATOR_CODES.keys()].join(', ')}. For any other, choose "custom" and enter it as the custom operator.`,
  );
}

function combine(conditions: readonly FilterObject[], json: FilterObject | null): FilterObject | null {
  if (conditions.length === 0) return json;
  if (json === null) return { item: conditions };
  const { item, ...others } = json;
  if (Object.keys(others).length === 0) return { item: [...conditions, ...readItems({ item })] };
  throw new UserError(
    `The filter JSON holds more than conditions (${Object.keys(others).join(', ')}), so filters cannot be added to it`,
    'Write all conditions into the filter JSON, or remove what stands beside "item".',
  );
}

/** The same refusal, said of one condition; they count from 1, as a person does. */
function inCondition(index: number, error: unknown): UserError {
  if (error instanceof UserError)
    return new UserError(`Filter ${index + 1}: ${error.message}`, error.description);
  const refusal = asUserError(error);
  return new UserError(`Filter ${index + 1}: ${refusal.message}`, refusal.description);
}
