import type { IDataObject } from 'n8n-workflow';

import { findTablePart } from '../../parts/choose';
import { rowsIn, simplifyRows } from '../../service/read/records';
import { readRecordId } from '../input/several';
import { readOperation } from '../run/types';
import { tableProperties } from './rowWork';

/**
 * Reads the rows of a table part: `get_data` with the record's ID, without reference lists, once for all items that
 * name the same record. One item a row, with the record's ID; a row's own ID is `null` where the service gives none.
 */
export const getManyRows = readOperation({
  resource: 'tableRow',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many table rows',
  description: 'Read the rows of a table part of one record, one item per row',
  properties: tableProperties,
  options: {},
  async execute(item) {
    const app = await item.application();
    const { parts } = app.application;
    const recordId = readRecordId(item);
    const table = findTablePart(parts, item.requiredText('tablePart', 'The table part'));
    item.run.hints.sameQuestion(['rows', app.reference, recordId, table.id]);
    const { record, keyMode } = await simplifyRows(app, await item.record(app, recordId, false));
    const rows = rowsIn(record, parts, table, keyMode, '');
    if (rows.some(({ id }) => id === null)) {
      item.run.hints.add(
        'The rows have no "id": the service returns none, so single rows cannot be changed or deleted',
      );
    }
    return rows.map(({ id, ...values }) => ({ json: { id, recordId, ...values } as IDataObject }));
  },
});
