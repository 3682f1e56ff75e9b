import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../parts/values/shapes';

/** Marks an empty locator in the editor. This is the only check that n8n makes of a saved locator. */
function notEmpty(label: string) {
  return {
    type: 'regex',
    properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage: `Parameter "${label}" is required.` },
  } as const;
}

const NOT_EMPTY = notEmpty('Record');

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

/** One row of a table part; empty where the operation has a meaning for that. `tablePart` names it with its part. */
export function rowLocator(
  tablePart: 'tablePart' | 'attachmentPart',
  isRequired: boolean,
  description: string,
): INodeProperties {
  const validation = isRequired ? { validation: [notEmpty('Row ID')] } : {};
  return {
    displayName: 'Row ID',
    name: 'rowId',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    typeOptions: { loadOptionsDependsOn: ['application.value', tablePart] },
    description,
    builderHint: {
      propertyHint: `Use mode id for a row of a previous node. The list needs application, recordId and ${tablePart} in the current parameters.`,
    },
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select a row...',
        typeOptions: { searchListMethod: 'searchRows', searchable: true },
        ...validation,
      },
      { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 2', ...validation },
    ],
  };
}

/** The same for an item that can name several. */
export const recordIdsProperty = severalById(
  recordIdProperty,
  'The record to delete. By ID, you can enter several.',
  'e.g. 12 or 12,13',
);

/** A locator that takes several by ID. */
export function severalById(
  locator: INodeProperties,
  description: string,
  placeholder: string,
): INodeProperties {
  const hint = 'Enter several as a comma-separated list or an array';
  const modes = locator.modes?.map((mode) => (mode.name === 'id' ? { ...mode, placeholder, hint } : mode));
  return { ...locator, description, modes };
}

/**
 * What a saved record locator locates, whatever its mode. Workflows also hold a plain text, a number, an array or an
 * expression in its place: that is the ID itself, or several.
 */
export function locatedIds(saved: unknown): unknown {
  const isLocator = isObject(saved) && 'value' in saved && ('mode' in saved || '__rl' in saved);
  return isLocator ? saved.value : saved;
}
