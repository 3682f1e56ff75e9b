import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Match } from '../parts/conditions/condition';
import { choiceSetting } from './setting';

/** By use, not by the alphabet: what is common first, the free one last. */
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
  { name: 'Custom', value: 'custom', description: 'Any other operator that the service knows' },
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
      'Equals, Contains, Is Greater Than or Equal To, Is Empty and Custom are answered by the service; the others the node checks on the records it reads',
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
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'], valueType: ['option'] } },
    default: '',
    description:
      'Value to compare with; several as a list, or one a line. Dates as yyyy-MM-dd, times as HH:mm, with an offset they are converted to the time zone.',
  },
  {
    displayName: 'Value Name or ID',
    name: 'value',
    type: 'options',
    typeOptions: {
      loadOptionsMethod: 'getPartChoices',
      loadOptionsDependsOn: ['&part', 'application.value'],
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
      { name: 'Shown Value', value: 'value', description: 'What is shown, e.g. the name of a user' },
      {
        name: 'Option of the Part',
        value: 'option',
        description: 'One of the options of the part, picked from a list',
      },
      { name: 'ID', value: 'id', description: 'The ID of a user, a group or a choice' },
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
  description: 'Only records that meet these conditions',
  builderHint: {
    propertyHint:
      'part is a part name or ID. Filter here rather than with a Filter node behind: the service then sends less.',
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
