import { isDeepStrictEqual } from 'node:util';

import { gone, rowAdded, rowMarked } from '../ledger/traces';
import { fromItem, mapped, textIn, type Desk, type Order } from './desk';

const TABLE = { recordId: fromItem('record'), tablePart: 'Rows' };
const FILES = { recordId: fromItem('record'), attachmentPart: 'Files' };

/** Table Row > Add, several rows of some records at once. */
export async function addRows(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const orders = pool.some(random, random.integer(1, 3)).flatMap((record) =>
    Array.from({ length: random.integer(1, 3) }, (): Order => {
      const item = desk.token();
      return { record, adds: [rowAdded(item)], json: { record, item } };
    }),
  );
  await desk.write('tableRow add', { ...TABLE, row: mapped({ Item: fromItem('item') }) }, orders);
}

/** Table Row > Get Many, then Table Row > Update of some of the rows. */
export async function updateRows(desk: Desk): Promise<void> {
  const orders = (await someRows(desk)).map(({ record, row }): Order => {
    const token = desk.token();
    return { record, adds: [rowMarked(row, token)], json: { record, row, token } };
  });
  const row = mapped({ Mark: fromItem('token') });
  await desk.write('tableRow update', { ...TABLE, rowId: fromItem('row'), row }, orders);
}

/** Table Row > Get Many, then Table Row > Delete of some of the rows. */
export async function deleteRows(desk: Desk): Promise<void> {
  const orders = (await someRows(desk)).map(({ record, row }): Order => ({
    record,
    removes: [gone('row', row)],
    json: { record, row },
  }));
  await desk.write('tableRow delete', { ...TABLE, rowId: fromItem('row') }, orders);
}

async function someRows(desk: Desk): Promise<{ record: string; row: string }[]> {
  const { random, pool } = desk;
  const records = pool.some(random, random.integer(1, 4)).map((record) => ({ record }));
  const read = await desk.read('tableRow getAll', TABLE, records);
  const rows = read.map(({ json }) => ({ record: textIn(json, 'recordId'), row: textIn(json, 'id') }));
  return random
    .some(rows, random.integer(1, 5))
    .filter((row, index, all) => index === all.findIndex((each) => isDeepStrictEqual(each, row)));
}

/** Attachment > Upload, one file or several. */
export async function upload(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const orders = pool.some(random, random.integer(1, 2)).map((record): Order => {
    const { binary, fields, adds } = desk.files(desk.token(), random.integer(1, 2));
    return { record, adds, json: { record, fields }, binary };
  });
  await desk.write('attachment upload', { ...FILES, binaryPropertyName: fromItem('fields') }, orders);
}

/** Attachment > Download of all files of some records; then Attachment > Delete of some of them. */
export async function download(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const records = pool.some(random, 4).map((record) => ({ record }));
  const files = await desk.read('attachment download', FILES, records);
  const orders = random.some(files, random.integer(0, 3)).map(({ json }): Order => {
    const [record, file] = [textIn(json, 'recordId'), textIn(json, 'id')];
    return { record, removes: [gone('file', file)], json: { record, file } };
  });
  await desk.write('attachment delete', { ...FILES, attachmentIds: fromItem('file') }, orders);
}
