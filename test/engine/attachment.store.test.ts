import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import { closeFileStore, openFileStore, removeFile, storeFile } from '../support/binaryStore';
import { partsOf } from '../support/parts';
import { CAPABILITIES } from './support/capabilities';
import { ng } from './support/table';
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

const place = useWorkplace({ parts: partsOf({ Name: 'textbox', Docs: 'files' }), records: [{}] });

/** The content in n8n's store. */
const stored = async (): Promise<IBinaryData> =>
  await storeFile(CONTENT, { mimeType: 'application/zip', fileName: 'bytes.zip', data: '' });
const upload = async (binary: IBinaryKeyData, binaryPropertyName = 'data') =>
  await place.run('upload', { ...PARAMETERS, binaryPropertyName }, { input: [{ json: {}, binary }] });
/** The digest of a file. */
const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const kept = async (binary: IBinaryData | undefined) =>
  digest(await Container.get(BinaryDataService).getAsBuffer(binary!));
const download = async () =>
  (await place.run('download', { ...PARAMETERS, attachmentIds: '' })).items[0]?.binary?.data;

test('a file goes from the filesystem store to the service and back, byte for byte', async () => {
  expect((await upload({ data: await stored() })).json).toMatchObject([{ outcome: 'updated' }]);
  const binary = await download();
  expect(binary).toMatchObject({ fileName: 'bytes.zip', mimeType: 'application/zip' });
  if (await CAPABILITIES.fileSizes()) expect(binary?.bytes).toBe(CONTENT.length);
  expect(binary?.id).toContain('filesystem');
  expect(await kept(binary)).toBe(digest(CONTENT));
  // Nothing is kept of a download that is cut off.
  await place.sandbox.setFaults([{ kind: 'cut', how: 'abort', action: 'download_data_file', times: 2 }]);
  expect(await kept(await download())).toBe(digest(CONTENT));
});

test.each<[string, Partial<IBinaryData>, RegExp]>([
  [
    'that n8n no longer has, with its size known',
    {},
    /^(The file "bytes.zip" could not be read|n8n no longer)/,
  ],
  ['that n8n no longer has, with its size requested', { bytes: undefined }, /^n8n no longer|not be read/],
  ["whose length is less than n8n's", { bytes: CONTENT.length - 1 }, /another length than the \d+ bytes/],
  ["whose length is more than n8n's", { bytes: CONTENT.length + 1 }, /another length than the \d+ bytes/],
])('a file %s is named, and nothing is written', async (what, more, message) => {
  const data = { ...(await stored()), ...more };
  const isGone = what.includes('no longer');
  if (isGone) await removeFile(data);
  const { error } = await upload({ data });
  expect(error?.message).toMatch(message);
  if (isGone) expect(error?.description).toMatch(/run the workflow again/i);
  expect((await place.storedAt())?.values.Docs).toBeUndefined();
});

test('a file that n8n lost after it was sent does not hide the record that was added', async () => {
  const data = await stored();
  await place.meanwhile(
    { action: 'insert_data', when: 'after', skip: 1, times: 1 },
    async () => await removeFile(data),
    [ng('insert_data', { skip: 1, times: 1 })],
  );
  const input = [{ json: {}, binary: { data } }, { json: { n: 1 } }];
  const values = { Docs: '={{ $json.n ? undefined : "data" }}', Name: 'x' };
  const { json } = await place.create({ values }, { input, node: RETRY });
  expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  expect(await place.stored()).toHaveLength(3);
});

test('a file without a name is called by its field and its extension, also where it came by an expression', async () => {
  const data = await storeFile(CONTENT, { mimeType: 'image/png', fileExtension: 'png', data: '' });
  const all: string[] = [];
  for (const [field, files] of [
    ['data, photo of it', ['data.png', 'photo of it.png']],
    ['={{ $("Start").item.binary.data }}', ['data.png']],
    ['={{ $("Start").item.binary }}', ['data.png', 'photo of it.png', 'scan.v2.png']],
    ['scan.v2', ['scan.v2.png']],
  ] as const) {
    const { json } = await upload({ data, 'photo of it': data, 'scan.v2': data }, field);
    expect(json[0]?.files).toEqual(files);
    all.push(...files);
  }
  const names = ((await place.storedAt())?.values.Docs as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(all);
});
