import { severalById } from '../../common/properties';
import { autoAction, dryRun, failIfNotFound, returnRecord } from '../../common/options';
import { readSeveral } from '../input/several';
import { emptyParameter } from '../../common/errors';
import { groupOperation } from '../run/types';
import { inGroups, readRowWork, rowIdProperty, tableProperties } from './rowWork';

/**
 * Deletes rows by ID, those of several items of one record together: a `get_data` for its rows and revision, then an
 * `update_data` that leaves these rows out, which deletes them. Nothing is sent where none of them is there.
 * One item per item: the IDs that were deleted, and those that were not there.
 */
export const deleteRow = groupOperation({
  resource: 'tableRow',
  value: 'delete',
  name: 'Delete',
  action: 'Delete table row',
  description: 'Delete rows from a table part of a record, and leave its other rows alone',
  properties: [
    ...tableProperties,
    severalById(rowIdProperty, 'The row to delete. By ID, you can enter several.', 'e.g. 2 or 2,3'),
  ],
  options: { dryRun, failIfNotFound, returnRecord, autoAction },
  async read(item, options) {
    return await readRowWork(item, options, (table) => {
      const ids = readSeveral(item, 'rowId');
      if (ids.length === 0) throw emptyParameter('The row ID');
      return { kind: 'delete', table, ids };
    });
  },
  ...inGroups,
});
