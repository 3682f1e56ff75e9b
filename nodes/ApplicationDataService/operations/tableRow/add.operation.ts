import { applicationProperty, optionsProperty } from '../../common/properties';
import { writeRows } from './rowBatch';
import { rowValues } from './rowItems';
import { addRowOptions, rowProperty, rowRecordProperty, tablePartProperty } from './rowProperties';
import type { BatchOperation } from '../run/types';

/** Table Row > Add: one row per item, those of one record in one update (interface.md, "update_data"). */
export const addRow: BatchOperation = {
  resource: 'tableRow',
  value: 'add',
  name: 'Add',
  action: 'Add a table row',
  description: 'Add a row to a table part of a record; its other rows stay as they are',
  properties: [
    applicationProperty,
    rowRecordProperty,
    tablePartProperty,
    rowProperty,
    optionsProperty(addRowOptions),
  ],
  async executeAll(items, flow) {
    return await writeRows(items, flow, (item, table, context) => ({
      change: { kind: 'add', table, values: rowValues(item, table, context) },
      tell: () => ({}),
    }));
  },
};
