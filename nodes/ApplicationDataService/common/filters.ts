import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
  type ConditionOperator,
  type MatchMode,
  ordersValues,
  takesNoValue,
} from '../parts/conditions/condition';
import { namePart } from '../parts/model/errors';
import type { Part } from '../parts/model/part';
import { UserError } from '../util/userError';
import { strictChoice } from './setting';
import { partList } from './properties';

const ANY_BUT_TABLES = 'For all parts but table parts';
const TEXTS =
  'For all parts but table parts, by their text. Of several choices, users and groups, one whole value must match.';
const ORDERED = 'For numbers, dates, times, date/times, the ID and auto calculations';
const EVERY_PART = 'For all parts, table parts too';

/** By use, not alphabetically: common operators first, the free one last. */
const OPERATORS: INodePropertyOptions[] = [
  { name: 'Equals', value: 'equals', description: ANY_BUT_TABLES },
  { name: 'Does Not Equal', value: 'notEquals', description: ANY_BUT_TABLES },
  { name: 'Is One Of', value: 'oneOf', description: `${ANY_BUT_TABLES}. Enter one value per line.` },
  { name: 'Contains', value: 'contains', description: TEXTS },
  { name: 'Does Not Contain', value: 'notContains', description: TEXTS },
  { name: 'Starts With', value: 'startsWith', description: TEXTS },
  { name: 'Ends With', value: 'endsWith', description: TEXTS },
  { name: 'Is Greater Than', value: 'gt', description: ORDERED },
  { name: 'Is Greater Than or Equal To', value: 'gte', description: ORDERED },
  { name: 'Is Less Than', value: 'lt', description: ORDERED },
  { name: 'Is Less Than or Equal To', value: 'lte', description: ORDERED },
  { name: 'Is Empty', value: 'isNull', description: EVERY_PART },
  { name: 'Is Not Empty', value: 'isNotNull', description: EVERY_PART },
  { name: 'Custom', value: 'custom', description: 'Any other operator that the service supports' },
];

/** The operators as workflows save them. */
export const OPERATOR_NAMES = OPERATORS.map(({ value }) => value as ConditionOperator | 'custom');

/** @throws UserError if no part of this type can be compared with the operator. */
export function assertFits(part: Part, operator: ConditionOperator): void {
  if (fits(part, operator)) return;
  const { name } = OPERATORS.find(({ value }) => value === operator) ?? { name: operator };
  const fitting = OPERATORS.filter(({ value }) => fits(part, value as ConditionOperator));
  throw new UserError(
    `Part ${namePart(part)} cannot be compared with "${name}": ${
      part.codec.content === 'rows' ? 'it is a table part' : 'it holds no numbers, dates or times'
    }`,
    `Select one of these operators: ${fitting.map((each) => each.name).join(', ')}. Or select another part.`,
  );
}

function fits(part: Part, operator: ConditionOperator | 'custom'): boolean {
  if (operator === 'custom') return false;
  const { compares, content } = part.codec;
  if (content === 'rows') return takesNoValue(operator);
  return !ordersValues(operator) || compares !== undefined;
}

/** One condition, in the order in which a person reads it. */
const CONDITION: INodeProperties[] = [
  {
    displayName: 'Part Name or ID',
    name: 'part',
    ...partList('getFilterParts', 'Part to compare.'),
  },
  {
    displayName: 'Operator',
    name: 'operator',
    type: 'options',
    options: OPERATORS,
    default: 'equals',
    description:
      'The service checks Equals, Contains, Is Greater Than or Equal To, Is Empty and Custom. The node checks the others on the records it reads.',
  },
  {
    displayName: 'Custom Operator',
    name: 'customOperator',
    type: 'string',
    displayOptions: { show: { operator: ['custom'] } },
    default: '',
    placeholder: 'e.g. <=',
    description: 'The operator as the service spells it. Leave the value empty if the operator needs none.',
  },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'], valueType: ['option'] } },
    default: '',
    description:
      'Value to compare with. Enter several as a list or one per line. Dates as yyyy-MM-dd, times as HH:mm. Values with an offset are converted to the time zone.',
  },
  {
    displayName: 'Value Name or ID',
    name: 'value',
    ...partList('getPartChoices', 'One of the options of the part.'),
    typeOptions: {
      loadOptionsMethod: 'getPartChoices',
      loadOptionsDependsOn: ['&part', 'application.value'],
    },
    builderHint: {
      propertyHint:
        'The list needs application in the current parameters, and the part in the last condition of filters.',
    },
    displayOptions: { show: { valueType: ['option'] }, hide: { operator: ['isNull', 'isNotNull'] } },
  },
  {
    displayName: 'Compare By',
    name: 'valueType',
    type: 'options',
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'] } },
    options: [
      {
        name: 'Value or Name',
        value: 'value',
        description:
          'What the record shows: a text, a number, a date, a choice, or the name of a user or group',
      },
      {
        name: 'Choice From a List',
        value: 'option',
        description: 'The same, but you pick one of the choices of the part instead of typing it',
      },
      {
        name: 'ID',
        value: 'id',
        description: 'The ID of a user, a group or a choice, e.g. from another node, instead of its name',
      },
    ],
    default: 'value',
    description: 'Leave this as it is, unless you want to pick a choice from a list or have IDs',
  },
];

/** Whether a record must meet all conditions of the filters, or one of them. */
export const match = strictChoice<MatchMode>({
  displayName: 'Must Match',
  name: 'match',
  type: 'options',
  options: [
    { name: 'All Conditions', value: 'all' },
    { name: 'Any Condition', value: 'any' },
  ],
  default: 'all',
  description: 'Whether a record must meet all conditions of the filters, or at least one of them',
});

/** Conditions that the records meet, all of them or one of them. */
export const filtersProperty: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add filter',
  default: {},
  description: 'Conditions that a record must meet',
  builderHint: {
    propertyHint:
      'part is a part name or ID. Filter here rather than in a Filter node after this node: the service then sends less.',
  },
  options: [{ displayName: 'Condition', name: 'condition', values: CONDITION }],
};

/** The same where the node checks all conditions itself. */
export const checkedFiltersProperty: INodeProperties = {
  ...filtersProperty,
  options: [
    {
      displayName: 'Condition',
      name: 'condition',
      values: CONDITION.filter(({ name }) => name !== 'customOperator').map((property) =>
        property.name === 'operator'
          ? {
              ...property,
              options: OPERATORS.filter(({ value }) => value !== 'custom'),
              description: 'The node checks this on the records it reads',
            }
          : property,
      ),
    },
  ],
};
