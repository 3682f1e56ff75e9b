import type { INodeProperties } from 'n8n-workflow';

import { failIfNotFound } from '../../common/options';
import {
  autoAction,
  dryRun,
  ignoreUnknown,
  peopleByName,
  returnRecord,
  skipUnchanged,
} from '../../common/writeOptions';
import { LIST_HINT, valuesMapper } from '../../common/properties';
import { recordIdProperty, rowLocator, severalById } from '../../common/recordLocator';
import { partsSetting } from '../../common/setting';

/** Parameters of the table row operations. Names are saved in workflows: never change. */

export const rowRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that contains the rows',
};

export const tablePartProperty: INodeProperties = {
  displayName: 'Table Part Name or ID',
  name: 'tablePart',
  type: 'options',
  default: '',
  required: true,
  typeOptions: { loadOptionsMethod: 'getTableParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'The table part that contains the rows. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const rowIdProperty = rowLocator('tablePart', true, 'The row to change');

export const rowIdsProperty = severalById(
  rowIdProperty,
  'The row to delete. By ID, you can enter several.',
  'e.g. 2 or 2,3',
);

/** Values for the parts of a row, one field each, filled from `get_app`. */
export const rowProperty = valuesMapper(
  { displayName: 'Row', name: 'row' },
  ['application.value', 'tablePart'],
  { resourceMapperMethod: 'getRowFields', mode: 'add' },
);

const partsToEmpty = partsSetting({
  displayName: 'Part Names or IDs to Empty',
  name: 'partsToEmpty',
  type: 'multiOptions',
  default: [],
  typeOptions: {
    loadOptionsMethod: 'getRowParts',
    loadOptionsDependsOn: ['application.value', 'tablePart'],
  },
  builderHint: LIST_HINT,
  description:
    'Parts of the row. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** The options of adding rows. */
export const addRowOptions = {
  dryRun,
  ignoreUnknown,
  peopleByName,
  returnRecord,
  autoAction,
};

/** The options of changing rows. */
export const updateRowOptions = {
  dryRun,
  failIfNotFound,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  returnRecord,
  autoAction,
  skipUnchanged,
};

/** The options of deleting rows. */
export const deleteRowOptions = {
  dryRun,
  failIfNotFound,
  returnRecord,
  autoAction,
};
