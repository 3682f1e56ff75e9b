import { applicationProperty, optionsProperty } from '../../common/properties';
import { writeRows } from './rowBatch';
import { rowValues } from './rowItems';
import {
  rowIdProperty,
  rowProperty,
  rowRecordProperty,
  tablePartProperty,
  updateRowOptions,
} from './rowProperties';
import type { BatchOperation } from '../run/types';

/** Table Row > Update: one row per item, those of one record in one update (interface.md, "update_data"). */
export const updateRow: BatchOperation = {
  resource: 'tableRow',
  value: 'update',
  name: 'Update',
  action: 'Update a table row',
  description: 'Change a row in a table part of a record; its other rows stay as they are',
  properties: [
    applicationProperty,
    rowRecordProperty,
    tablePartProperty,
    rowIdProperty,
    rowProperty,
    optionsProperty(updateRowOptions),
  ],
  async executeAll(items, flow) {
    return await writeRows(items, flow, (item, table, context) => {
      const id = item.requiredText('rowId', 'The row ID');
      const values = rowValues(item, table, context);
      const skipUnchanged = item.options().skipUnchanged === true;
      return {
        change: { kind: 'update', table, id, values, skipUnchanged },
        tell: () => ({ rowId: id }),
      };
    });
  },
};
