import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * Parameters that say which records are meant and what of them is wanted, for the action node and the trigger. Names and
 * values are saved in workflows: never change. What they mean is in `common/query.ts`.
 */

const APPLICATION_CHANGES = ['application.value'];

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
    typeOptions: { loadOptionsMethod: 'getFilterParts', loadOptionsDependsOn: APPLICATION_CHANGES },
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

export const filterJsonOption: INodeProperties = {
  displayName: 'Filter (JSON)',
  name: 'filterJson',
  type: 'json',
  default: '',
  placeholder: 'e.g. {"item": [{"field_id": "101", "operator": "contains", "value": "Acme"}]}',
  description:
    'Conditions as the service takes them, with any operator it knows; they apply besides the filters',
};

export const keywordOption: INodeProperties = {
  displayName: 'Keyword',
  name: 'keyword',
  type: 'string',
  default: '',
  description:
    'Only records in which the service finds this text. Where it looks can be set in the application; numbers, dates and times are not searched.',
};

export const keywordPartsOption: INodeProperties = {
  displayName: 'Keyword Part Names or IDs',
  name: 'keywordParts',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getKeywordParts', loadOptionsDependsOn: APPLICATION_CHANGES },
  default: [],
  description:
    'Parts in which the keyword is looked for, besides those that are returned: the service searches whatever it is asked to return. Empty: all parts. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Counting returns no parts, so here the choice is the whole of what is searched. */
export const countKeywordPartsOption: INodeProperties = {
  ...keywordPartsOption,
  description:
    'Parts in which the keyword is looked for. Empty: all parts. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const sortOption: INodeProperties = {
  displayName: 'Sort',
  name: 'sort',
  type: 'fixedCollection',
  placeholder: 'Add sort rule',
  default: {},
  description:
    'Order of the records; without it they come by record ID. A record that changes its place while several pages are read can be missed, by record ID none is.',
  options: [
    {
      displayName: 'By',
      name: 'by',
      values: [
        {
          displayName: 'Part Name or ID',
          name: 'part',
          type: 'options',
          typeOptions: { loadOptionsMethod: 'getSortParts', loadOptionsDependsOn: APPLICATION_CHANGES },
          default: '',
          description:
            'Part to sort by. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
        },
        {
          displayName: 'Order',
          name: 'order',
          type: 'options',
          options: [
            { name: 'Ascending', value: 'asc' },
            { name: 'Descending', value: 'desc' },
          ],
          default: 'asc',
        },
      ],
    },
  ],
};

export { partsToReturnOption } from './options';
