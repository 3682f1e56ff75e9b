import { partsList, rowChangeNotice } from '../../common/properties';
import { partsSetting } from '../../common/setting';
import {
  autoAction,
  dryRun,
  failIfNotFound,
  ignoreUnknown,
  returnRecord,
  skipUnchanged,
} from '../../common/options';
import { readRowId } from '../input/several';
import { emptyParameter } from '../../common/errors';
import { groupOperation } from '../run/types';
import { inGroups, readRowWork, rowIdProperty, rowProperty, rowValues, tableProperties } from './rowWork';

const rowPartsToEmpty = partsSetting({
  displayName: 'Part Names or IDs to Empty',
  name: 'partsToEmpty',
  ...partsList('getRowParts', 'Parts of the row.'),
  typeOptions: {
    loadOptionsMethod: 'getRowParts',
    loadOptionsDependsOn: ['application.value', 'tablePart'],
  },
});

/**
 * Changes a row, those of several items of one record together: a `get_data` for its rows and revision, then an
 * `update_data` that names all rows, since the service deletes what is left out. Planned again if it has changed.
 * One item per item: the IDs of record and row, and the outcome; a row that is not there is "notFound".
 */
export const updateRow = groupOperation({
  resource: 'tableRow',
  value: 'update',
  name: 'Update',
  action: 'Update table row',
  description: 'Change a row in a table part of a record, and leave its other rows alone',
  properties: [...tableProperties, rowIdProperty, rowChangeNotice, rowProperty],
  options: {
    dryRun,
    failIfNotFound,
    ignoreUnknown,
    partsToEmpty: rowPartsToEmpty,
    returnRecord,
    autoAction,
    skipUnchanged,
  },
  async read(item, options) {
    return await readRowWork(item, options, (table, writing) => {
      const id = readRowId(item);
      if (id === '') throw emptyParameter('The row ID');
      return { kind: 'update', table, id, values: rowValues(writing, table, options) };
    });
  },
  ...inGroups,
});
