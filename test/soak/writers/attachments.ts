import type { INodeParameters } from 'n8n-workflow';

import { textIn } from '../util/json';
import type { Desk, Order } from './desk';
import { newFiles, sha256 } from './files';
import { fromItem } from './saved';

const PART: INodeParameters = {
  resource: 'attachment',
  attachmentPart: 'Files',
  recordId: fromItem('record'),
};

/** Attachment > Upload, one file or several. */
export async function upload(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const orders = pool.some(random, random.integer(1, 2)).map((record): Order => {
    const token = desk.token();
    const { binary, files } = newFiles(random, token, random.integer(1, 2));
    const json = { record, fields: Object.keys(binary).join(',') };
    return { token, record, files, input: { json, binary } };
  });
  const parameters = { ...PART, operation: 'upload', binaryPropertyName: fromItem('fields') };
  await desk.write('upload', parameters, orders);
}

/** Attachment > Download of all files of some records; then Attachment > Delete of some of them. */
export async function download(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const records = pool.some(random, 4);
  const files = await desk.read(
    { ...PART, operation: 'download' },
    records.map((record) => ({ json: { record } })),
  );
  for (const { json, binary } of files)
    desk.sawFile(textIn(json, 'name'), sha256(Buffer.from(binary?.data?.data ?? '', 'base64')));

  const removed = random.some(files, random.integer(0, 3));
  const orders = removed.map(({ json }): Order => {
    const [record, file] = [textIn(json, 'recordId'), textIn(json, 'id')];
    return { token: desk.token(), record, removedFiles: [file], input: { json: { record, file } } };
  });
  const parameters = { ...PART, operation: 'delete', attachmentIds: fromItem('file') };
  await desk.write('removeFile', parameters, orders);
}
