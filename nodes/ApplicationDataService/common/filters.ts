import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Match } from '../parts/conditions/condition';
import { choiceSetting } from './setting';
import { LIST_HINT } from './properties';

/** By use, not alphabetically: common operators first, the free one last. */
const OPERATORS: INodePropertyOptions[] = [
  { name: 'Equals', value: 'equals' },
  { name: 'Does Not Equal', value: 'notEquals' },
  { name: 'Is One Of', value: 'oneOf' },
  { name: 'Contains', value: 'contains' },
  { name: 'Does Not Contain', value: 'notContains' },
  { name: 'Starts With', value: 'startsWith' },
  { name: 'Ends With', value: 'endsWith' },
  { name: 'Is Greater Than', value: 'gt' },
  { name: 'Is Greater Than or Equal To', value: 'gte' },
  { name: 'Is Less Than', value: 'lt' },
  { name: 'Is Less Than or Equal To', value: 'lte' },
  { name: 'Is Empty', value: 'isNull' },
  { name: 'Is Not Empty', value: 'isNotNull' },
  { name: 'Custom', value: 'custom', description: 'Any other operator that the service supports' },
];

/** The name of an operator on screen. */
export function operatorLabel(value: string): string {
  return OPERATORS.find((operator) => operator.value === value)?.name ?? value;
}

/** One condition, in the order in which a person reads it. */
const CONDITION: INodeProperties[] = [
  {
    displayName: 'Part Name or ID',
    name: 'part',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getFilterParts', loadOptionsDependsOn: ['application.value'] },
    builderHint: LIST_HINT,
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
    type: 'options',
    typeOptions: {
      loadOptionsMethod: 'getPartChoices',
      loadOptionsDependsOn: ['&part', 'application.value'],
    },
    builderHint: {
      propertyHint:
        'The list needs application in the current parameters, and the part in the last condition of filters.',
    },
    displayOptions: { show: { valueType: ['option'] }, hide: { operator: ['isNull', 'isNotNull'] } },
    default: '',
    description:
      'One of the options of the part. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Compare By',
    name: 'valueType',
    type: 'options',
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'] } },
    options: [
      {
        name: 'Shown Value',
        value: 'value',
        description: 'The value that people see, e.g. the name of a user',
      },
      {
        name: 'Option of the Part',
        value: 'option',
        description: 'An option of the part, chosen from a list',
      },
      { name: 'ID', value: 'id', description: 'The ID of a user, a group or an option' },
    ],
    default: 'value',
  },
];

/** Whether a record must meet all conditions of the filters, or one of them. */
export const match = choiceSetting<Match>(
  {
    displayName: 'Must Match',
    name: 'match',
    type: 'options',
    options: [
      { name: 'All Conditions', value: 'all' },
      { name: 'Any Condition', value: 'any' },
    ],
    default: 'all',
    description: 'Whether a record must meet all conditions of the filters, or at least one of them',
  },
  { mustBeSaid: true },
);

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
