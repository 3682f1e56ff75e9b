import { severalById } from '../../common/properties';
import { autoAction, dryRun, failIfNotFound, returnRecord } from '../../common/options';
import { readSeveral } from '../input/several';
import { emptyParameter } from '../../common/errors';
import { groupOperation } from '../run/types';
import { inGroups, readRowWork, rowIdProperty, tableProperties } from './rowWork';

/** Table Row > Delete: rows are deleted by leaving them out of an update (interface.md, "update_data"). */
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
