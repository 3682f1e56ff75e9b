import { autoAction, dryRun, ignoreUnknown, returnRecord } from '../../common/options';
import { asNew } from '../input/recordWrites';
import { groupOperation } from '../run/types';
import { inGroups, readRowWork, rowProperty, rowValues, tableProperties } from './rowWork';

/** Table Row > Add: one row per item, those of one record in one update (interface.md, "update_data"). */
export const addRow = groupOperation({
  resource: 'tableRow',
  value: 'add',
  name: 'Add',
  action: 'Add table row',
  description: 'Add a row to a table part of a record, and leave its other rows alone',
  properties: [...tableProperties, rowProperty],
  options: { dryRun, ignoreUnknown, returnRecord, autoAction },
  async read(item, options) {
    return await readRowWork(item, options, (table, writing) => ({
      kind: 'add',
      table,
      values: asNew(rowValues(writing, table, options), 'row'),
    }));
  },
  ...inGroups,
});
