import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../parts/values/shapes';

/** Marks an empty locator in the editor. This is the only check that n8n makes of a saved locator. */
const NOT_EMPTY = {
  type: 'regex',
  properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage: 'Parameter "Record" is required.' },
} as const;

/**
 * One record, chosen from a list or named by its ID. Not `required`: n8n would refuse a workflow that holds an array in
 * its place.
 */
export const recordIdProperty: INodeProperties = {
  displayName: 'Record',
  name: 'recordId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  typeOptions: { loadOptionsDependsOn: ['application.value'] },
  description: 'The record to work with',
  builderHint: {
    propertyHint:
      'For the record of a previous node, use mode id and an expression for its ID. The list needs application in the current parameters.',
  },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a record...',
      typeOptions: { searchListMethod: 'searchRecords', searchable: true },
      validation: [NOT_EMPTY],
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. 12',
      validation: [NOT_EMPTY],
    },
  ],
};

/** The same for an item that can name several. */
export const recordIdsProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record to delete. By ID, you can enter several.',
  modes: recordIdProperty.modes?.map((mode) =>
    mode.name === 'id'
      ? {
          ...mode,
          placeholder: 'e.g. 12 or 12,13',
          hint: 'Enter several as a comma-separated list or an array',
        }
      : mode,
  ),
};

/**
 * What a saved record locator locates, whatever its mode. Workflows also hold a plain text, a number, an array or an
 * expression in its place: that is the ID itself, or several.
 */
export function locatedIds(saved: unknown): unknown {
  const isLocator = isObject(saved) && 'value' in saved && ('mode' in saved || '__rl' in saved);
  return isLocator ? saved.value : saved;
}
