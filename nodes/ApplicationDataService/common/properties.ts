import type { INodeProperties } from 'n8n-workflow';

/** The application an operation works on. */
export const applicationProperty: INodeProperties = {
  displayName: 'Application',
  name: 'application',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'The application whose data to work with',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select an application...',
      typeOptions: { searchListMethod: 'searchApplications', searchable: true },
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. 301',
    },
    {
      displayName: 'By Identifier',
      name: 'identifier',
      type: 'string',
      placeholder: 'e.g. customers',
      hint: 'The application identifier from the application settings, with or without @',
    },
  ],
};

/** One record, by its id. */
export const recordIdProperty: INodeProperties = {
  displayName: 'Record ID',
  name: 'recordId',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. 12',
  description: 'ID of the record, as the other operations give it under "ID"',
};

/** n8n's usual pair. */
export const returnAllProperty: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
};

export const limitProperty: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  displayOptions: { show: { returnAll: [false] } },
  description: 'Max number of results to return',
};

function partsMapper(mode: 'add' | 'upsert'): INodeProperties {
  return {
    displayName: 'Parts',
    name: 'parts',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    required: true,
    typeOptions: {
      loadOptionsDependsOn: ['application.value'],
      resourceMapper: {
        resourceMapperMethod: 'getPartFields',
        mode,
        fieldWords: { singular: 'part', plural: 'parts' },
        addAllFields: true,
        supportAutoMap: true,
        allowEmptyValues: true,
        // Why there are none is said by what loads them.
        hideNoDataError: true,
        ...(mode === 'upsert' && {
          multiKeyMatch: true,
          matchingFieldsLabels: {
            title: 'Part to Match On',
            description: 'The part, or parts, by whose value the record is found',
          },
        }),
      },
    },
  };
}

/** Values for the parts of a record, one field each, filled from `get_app`. */
export const partsProperty = partsMapper('add');

/** The same, with the parts by which the record is found. */
export const matchedPartsProperty = partsMapper('upsert');

/** An `options` collection of the given entries. */
export function optionsProperty(entries: INodeProperties[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: entries,
  };
}
