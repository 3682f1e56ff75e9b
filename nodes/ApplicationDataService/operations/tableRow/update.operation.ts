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

/** Table Row > Update: one row per item, those of one record in one update (interface.md, "update_data"). */
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
