import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../parts/values/shapes';

/** One record, chosen from a list or named by its ID. */
export const recordIdProperty: INodeProperties = {
  displayName: 'Record',
  name: 'recordId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  typeOptions: { loadOptionsDependsOn: ['application.value'] },
  description: 'The record to work with',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a record...',
      typeOptions: { searchListMethod: 'searchRecords', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 12' },
  ],
};

/** The same where one item may name several. */
export const recordIdsProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record to delete; by ID also several',
  modes: recordIdProperty.modes?.map((mode) =>
    mode.name === 'id'
      ? {
          ...mode,
          placeholder: 'e.g. 12 or 12,13',
          hint: 'Several are separated by commas or given as an array',
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
