import { applicationProperty } from '../../common/properties';
import { UserError } from '../../util/userError';
import { assertExplicitIds, readSeveral } from '../input/several';
import { groupOperation } from '../run/types';
import {
  deleteRowOptions,
  inGroups,
  readRowWork,
  rowIdsProperty,
  rowRecordProperty,
  tablePartProperty,
} from './rowWork';

/** Table Row > Delete: rows are deleted by leaving them out of an update (interface.md, "update_data"). */
export const deleteRow = groupOperation({
  resource: 'tableRow',
  value: 'delete',
  name: 'Delete',
  action: 'Delete a table row',
  description: 'Delete rows from a table part of a record, and leave its other rows alone',
  properties: [applicationProperty, rowRecordProperty, tablePartProperty, rowIdsProperty],
  options: deleteRowOptions,
  async read(item, options) {
    return await readRowWork(item, options, (table) => {
      const ids = readSeveral(item, 'rowId');
      if (ids.length === 0) {
        throw new UserError(
          'The row ID is empty',
          'Enter it, or check the expression that should return it: it was empty for this item.',
        );
      }
      assertExplicitIds(item, ids, 'rows');
      return { kind: 'delete', table, ids };
    });
  },
  ...inGroups,
});
