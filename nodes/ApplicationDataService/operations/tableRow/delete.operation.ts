import { UserError } from '../../util/userError';
import { assertExplicitIds } from '../input/explicitIds';
import { applicationProperty, optionsProperty } from '../../common/properties';
import { writeRows } from './rowBatch';
import { deleteRowOptions, rowIdsProperty, rowRecordProperty, tablePartProperty } from './rowProperties';
import { readSeveral } from '../input/several';
import type { BatchOperation } from '../run/types';

/** Table Row > Delete: rows are deleted by leaving them out of an update (interface.md, "update_data"). */
export const deleteRow: BatchOperation = {
  resource: 'tableRow',
  value: 'delete',
  name: 'Delete',
  action: 'Delete a table row',
  description: 'Delete rows from a table part of a record; its other rows stay as they are',
  properties: [
    applicationProperty,
    rowRecordProperty,
    tablePartProperty,
    rowIdsProperty,
    optionsProperty(deleteRowOptions),
  ],
  async executeAll(items, flow) {
    return await writeRows(items, flow, (item, table) => {
      const ids = readSeveral(item, 'rowId');
      if (ids.length === 0) {
        throw new UserError(
          'The row ID is empty',
          'Enter it, or check the expression that should give it: it was empty for this item.',
        );
      }
      assertExplicitIds(item, ids, 'rows');
      return {
        change: { kind: 'delete', table, ids },
        tell: ({ ids: deleted, notFound }) => ({ ids: [...deleted], notFound: [...notFound] }),
      };
    });
  },
};
