import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { closeFileStore, openFileStore, removeFile, storeFile } from '../support/binaryStore';
import { CAPABILITIES } from './support/capabilities';
import { RETRY, useWorkplace } from './support/workplace';

let folder: string;

const CONTENT = Buffer.from(Array.from({ length: 3_000_001 }, (_, index) => (index * 31) % 251));
const PARAMETERS = {
  resource: 'attachment',
  recordId: '1',
  attachmentPart: 'Docs',
  binaryPropertyName: 'data',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attachment-store-'));
  await openFileStore(folder);
});

afterAll(async () => {
  closeFileStore();
  await rm(folder, { recursive: true, force: true });
});

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Docs', type: 'files' },
  ],
  records: [{}],
});

async function stored(): Promise<IBinaryData> {
  return await storeFile(CONTENT, { mimeType: 'application/zip', fileName: 'bytes.zip', data: '' });
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('a file goes from the filesystem store to the service and back, byte for byte', async () => {
  const up = await place.run('upload', PARAMETERS, {
    input: [{ json: {}, binary: { data: await stored() } }],
  });
  expect(up.json).toMatchObject([{ outcome: 'updated' }]);
  const down = await place.run('download', { ...PARAMETERS, attachmentIds: '' });
  const binary = down.items[0]?.binary?.data;
  expect(binary).toMatchObject({ fileName: 'bytes.zip', mimeType: 'application/zip' });
  if (await CAPABILITIES.fileSizes()) expect(binary?.bytes).toBe(CONTENT.length);
  expect(binary?.id).toContain('filesystem');
  expect(digest(await Container.get(BinaryDataService).getAsBuffer(binary!))).toBe(digest(CONTENT));
});

test('nothing is kept of a download that is cut off', async () => {
  await place.run('upload', PARAMETERS, { input: [{ json: {}, binary: { data: await stored() } }] });
  await place.sandbox.setFaults([{ kind: 'cut', how: 'abort', action: 'download_data_file', times: 2 }]);
  const { items } = await place.run('download', { ...PARAMETERS, attachmentIds: '' });
  expect(digest(await Container.get(BinaryDataService).getAsBuffer(items[0]!.binary!.data!))).toBe(
    digest(CONTENT),
  );
});

test.each([
  ['with its size known', {}],
  ['with its size requested', { bytes: undefined }],
])('a file that n8n no longer has is named, and nothing is written, %s', async (_, more) => {
  const data = { ...(await stored()), ...more } as IBinaryData;
  await removeFile(data);
  const { error } = await place.run('upload', PARAMETERS, { input: [{ json: {}, binary: { data } }] });
  expect(error?.message).toMatch(
    /^(The file "bytes.zip" could not be read|n8n no longer has the file "bytes.zip")/,
  );
  expect(error?.description).toMatch(/run the workflow again/i);
  expect((await place.storedAt())?.values.Docs).toBeUndefined();
});

test('a file that n8n lost after it was sent does not hide the record that was added', async () => {
  const data = await stored();
  await place.sandbox.setFaults([
    { kind: 'ng', action: 'insert_data', skip: 1, times: 1, errorno: -1, message: 'no' },
  ]);
  await place.meanwhile(
    { action: 'insert_data', when: 'after', skip: 1, times: 1 },
    async () => await removeFile(data),
  );
  const input = [{ json: {}, binary: { data } }, { json: { n: 1 } }];
  const values = { Docs: '={{ $json.n ? undefined : "data" }}', Name: 'x' };
  const { json, error } = await place.create({ values }, { input, node: RETRY });
  expect([error, json.map(({ outcome }) => outcome)]).toEqual([undefined, ['created', 'created']]);
  expect(await place.stored()).toHaveLength(3);
});

test('a file without a name is called by its field and its extension, also where it came by an expression', async () => {
  const data = await storeFile(CONTENT, {
    mimeType: 'image/png',
    fileExtension: 'png',
    data: '',
  });
  const input = [{ json: {}, binary: { data, 'photo of it': data, 'scan.v2': data } }];
  const dotted = { ...PARAMETERS, binaryPropertyName: 'scan.v2' };
  const byField = { ...PARAMETERS, binaryPropertyName: 'data, photo of it' };
  const byExpression = { ...PARAMETERS, binaryPropertyName: '={{ $("Start").item.binary.data }}' };
  const all = { ...PARAMETERS, binaryPropertyName: '={{ $("Start").item.binary }}' };
  for (const [parameters, files] of [
    [byField, ['data.png', 'photo of it.png']],
    [byExpression, ['data.png']],
    [all, ['data.png', 'photo of it.png', 'scan.v2.png']],
    [dotted, ['scan.v2.png']],
  ] as const) {
    const { json, error } = await place.run('upload', parameters, { input });
    expect([error, json[0]?.files]).toEqual([undefined, files]);
  }
  const names = ((await place.storedAt())?.values.Docs as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual([
    ...['data.png', 'photo of it.png'],
    ...['data.png'],
    ...['data.png', 'photo of it.png', 'scan.v2.png'],
    ...['scan.v2.png'],
  ]);
});

test("a file whose length differs from n8n's is not written", async () => {
  for (const bytes of [CONTENT.length - 1, CONTENT.length + 1]) {
    const data = { ...(await stored()), bytes };
    const { error } = await place.run('upload', PARAMETERS, { input: [{ json: {}, binary: { data } }] });
    expect(error?.message).toContain(`another length than the ${bytes} bytes`);
    expect((await place.storedAt())?.values.Docs).toBeUndefined();
  }
});
