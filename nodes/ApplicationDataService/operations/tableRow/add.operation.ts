import { autoAction, dryRun, ignoreUnknown, returnRecord } from '../../common/options';
import { asNew } from '../input/recordWrites';
import { groupOperation } from '../run/types';
import { inGroups, readRowWork, rowProperty, rowValues, tableProperties } from './rowWork';

/**
 * Adds a row to a table part, those of several items of one record together: a `get_data` for its rows and revision,
 * then an `update_data` that names all rows, since the service deletes what is left out. Planned again if
 * it has changed. One item per item: the record's ID and the outcome; the service does not say the new row's ID.
 */
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
      values: asNew(item, rowValues(writing, table, options), 'row'),
    }));
  },
  ...inGroups,
});
