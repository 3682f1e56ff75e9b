import { isDeepStrictEqual } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { textIn } from '../util/json';
import type { Desk, Order } from './desk';
import { fromItem, mapped } from './saved';

const TABLE = { resource: 'tableRow', recordId: fromItem('record'), tablePart: 'Rows' };

/** Table Row > Add, several rows of some records at once. */
export async function addRows(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const records = pool.some(random, random.integer(1, 3));
  const orders = records.flatMap((record) =>
    Array.from({ length: random.integer(1, 3) }, (): Order => {
      const token = desk.token();
      const item = `${token}.0`;
      return { token, record, rows: [item], input: { json: { record, item } } };
    }),
  );
  await desk.write('addRow', { ...TABLE, operation: 'add', row: mapped({ Item: fromItem('item') }) }, orders);
}

/** Table Row > Get Many, then Table Row > Update of some of the rows. */
export async function updateRows(desk: Desk): Promise<void> {
  const orders = (await someRows(desk)).map(({ record, row }): Order => {
    const token = desk.token();
    return { token, record, markedRow: row, input: { json: { record, row, token } } };
  });
  const parameters: INodeParameters = { rowId: fromItem('row'), row: mapped({ Mark: fromItem('token') }) };
  await desk.write('updateRow', { ...TABLE, operation: 'update', ...parameters }, orders);
}

/** Table Row > Get Many, then Table Row > Delete of some of the rows. */
export async function deleteRows(desk: Desk): Promise<void> {
  const orders = (await someRows(desk)).map(({ record, row }): Order => ({
    token: desk.token(),
    record,
    removedRows: [row],
    input: { json: { record, row } },
  }));
  await desk.write('deleteRow', { ...TABLE, operation: 'delete', rowId: fromItem('row') }, orders);
}

async function someRows(desk: Desk): Promise<{ record: string; row: string }[]> {
  const { random, pool } = desk;
  const records = pool.some(random, random.integer(1, 4));
  const read = await desk.read(
    { ...TABLE, operation: 'getAll' },
    records.map((record) => ({ json: { record } })),
  );
  const rows = read.map(({ json }) => ({ record: textIn(json, 'recordId'), row: textIn(json, 'id') }));
  return random
    .some(rows, random.integer(1, 5))
    .filter((row, index, all) => index === all.findIndex((each) => isDeepStrictEqual(each, row)));
}
