import type { INodeProperties } from 'n8n-workflow';

import {
  autoAction,
  concurrency,
  dryRun,
  failIfNotFound,
  ignoreUnknown,
  partKey,
  peopleByName,
  returnRecord,
  skipUnchanged,
  timezone,
} from '../../common/options';
import { valuesMapper } from '../../common/properties';
import { recordIdProperty } from '../../common/recordLocator';
import { partsSetting } from '../../common/setting';

/** Parameters of the table row operations. Names are saved in workflows: never change. */

export const rowRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that holds the rows',
};

export const tablePartProperty: INodeProperties = {
  displayName: 'Table Part Name or ID',
  name: 'tablePart',
  type: 'options',
  default: '',
  required: true,
  typeOptions: { loadOptionsMethod: 'getTableParts', loadOptionsDependsOn: ['application.value'] },
  description:
    'The table part that holds the rows. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const rowIdProperty: INodeProperties = {
  displayName: 'Row ID',
  name: 'rowId',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. 2',
  description: 'ID of the row, as Get Many gives it under "ID"',
};

export const rowIdsProperty: INodeProperties = {
  ...rowIdProperty,
  placeholder: 'e.g. 2 or 2,3',
  description: 'ID of the row to delete; several are separated by commas or given as an array',
};

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
  description:
    'Parts of the row. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** What adding rows takes. */
export const addRowOptions = {
  concurrency,
  dryRun,
  ignoreUnknown,
  partKey,
  peopleByName,
  returnRecord,
  autoAction,
  timezone,
};

/** What changing rows takes. */
export const updateRowOptions = {
  concurrency,
  dryRun,
  failIfNotFound,
  ignoreUnknown,
  partKey,
  partsToEmpty,
  peopleByName,
  returnRecord,
  autoAction,
  skipUnchanged,
  timezone,
};

/** What deleting rows takes. */
export const deleteRowOptions = {
  concurrency,
  dryRun,
  failIfNotFound,
  partKey,
  returnRecord,
  autoAction,
};
