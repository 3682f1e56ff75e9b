import { applicationProperty, rowChangeNotice } from '../../common/properties';
import { groupOperation } from '../run/types';
import {
  inGroups,
  readRowWork,
  rowIdProperty,
  rowProperty,
  rowRecordProperty,
  rowValues,
  tablePartProperty,
  updateRowOptions,
} from './rowWork';

/** Table Row > Update: one row per item, those of one record in one update (interface.md, "update_data"). */
export const updateRow = groupOperation({
  resource: 'tableRow',
  value: 'update',
  name: 'Update',
  action: 'Update a table row',
  description: 'Change a row in a table part of a record, and leave its other rows alone',
  properties: [
    applicationProperty,
    rowRecordProperty,
    tablePartProperty,
    rowIdProperty,
    rowChangeNotice,
    rowProperty,
  ],
  options: updateRowOptions,
  async read(item, options) {
    const { skipUnchanged } = options;
    return await readRowWork(item, options, (table, context) => {
      const id = item.requiredText('rowId', 'The row ID');
      return { kind: 'update', table, id, values: rowValues(item, table, context, options), skipUnchanged };
    });
  },
  ...inGroups,
});
