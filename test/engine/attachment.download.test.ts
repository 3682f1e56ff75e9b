import { Engine } from '../support/engine';
import { CAPABILITIES } from './support/capabilities';
import { LINES } from './support/rows';
import { useWorkplace } from './support/workplace';

const DOCS = [
  { name: 'a.pdf', mimeType: 'application/pdf', text: '%PDF-1.4' },
  { name: '見積 "最終" & 1.txt', mimeType: 'text/plain', text: 'äöü' },
];

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [
    {
      Name: 'Order',
      Docs: DOCS,
      Lines: [
        { Item: 'a', Plan: [{ name: 'one.txt', text: '1' }] },
        { Item: 'b' },
        {
          Item: 'c',
          Plan: [
            { name: 'two.txt', text: '22' },
            { name: 'three.txt', text: '333' },
          ],
        },
      ],
    },
    { Name: 'Empty' },
  ],
});

async function download(more: Record<string, unknown> = {}, engine = place.engine) {
  return await engine.run(
    place.parameters('download', {
      resource: 'attachment',
      recordId: '1',
      attachmentPart: 'Docs',
      attachmentIds: '',
      binaryPropertyName: 'data',
      ...more,
    }),
  );
}

const text = (data: string | undefined) => Buffer.from(data ?? '', 'base64').toString('utf8');

test('returns one item per file, with its name, type, size and content', async () => {
  const { items } = await download();
  const ids = ((await place.storedAt())?.values.Docs as { id: string }[]).map(({ id }) => id);
  expect(items.map(({ json }) => json)).toEqual([
    { recordId: '1', id: ids[0], name: 'a.pdf', mimeType: 'application/pdf', size: 8 },
    { recordId: '1', id: ids[1], name: DOCS[1]?.name, mimeType: 'text/plain', size: 6 },
  ]);
  expect(items.map(({ binary }) => text(binary?.data?.data))).toEqual(['%PDF-1.4', 'äöü']);
  expect(items[1]?.binary?.data).toMatchObject({ fileName: DOCS[1]?.name, mimeType: 'text/plain' });
  if (await CAPABILITIES.fileSizes()) expect(items[1]?.binary?.data?.bytes).toBe(6);
});

test('returns the named files, and no item if there are none', async () => {
  const all = await download();
  const second = all.json[1]?.id as string;
  expect((await download({ attachmentIds: second })).json.map(({ id }) => id)).toEqual([second]);
  const { error } = await download({ attachmentIds: `${second},99` });
  expect(error?.message).toContain('Record 1 has no file 99 in "Docs"');
  expect(error?.description).toContain(`${second} (`);
  expect((await download({ recordId: '2' })).items).toEqual([]);
});

test.each([
  ['a file as a read returns it', '={{ $json.Docs[1] }}', [1]],
  ['such a file and an ID', '={{ [$json.Docs[1], $json.Docs[0].id] }}', [0, 1]],
  ['JSON text of a list', '={{ JSON.stringify([$json.Docs[1]]) }}', [1]],
])('the IDs of files may be %s', async (_, attachmentIds, files) => {
  const settings = { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds };
  const { json } = await place.run('download', settings, { input: [{ json: await place.read() }] });
  expect(json.map(({ name }) => name)).toEqual(files.map((index) => DOCS[index]!.name));
});

test('reads files in rows: of all rows, or of one', async () => {
  const ids = await place.sandbox.partIds(place.app.id);
  const dotted = `${ids.Lines}.${ids['Lines.Plan']}`;
  const all = await download({ attachmentPart: dotted });
  expect(all.json.map(({ rowId, name }) => [rowId, name])).toEqual([
    ['1', 'one.txt'],
    ['3', 'two.txt'],
    ['3', 'three.txt'],
  ]);
  expect((await download({ attachmentPart: 'Lines.Plan', rowId: '3' })).json).toHaveLength(2);
  expect((await download({ attachmentPart: dotted, rowId: '2' })).json).toEqual([]);
  const { error } = await download({ attachmentPart: dotted, rowId: '9' });
  expect(error?.message).toContain('"Lines" (ID');
  expect(error?.message).toContain('has no row 9');
});

test.each([['Name', 'is not an attachment part', 'The attachment parts are: "Docs", "Lines.Plan".']])(
  'the part %s is refused with a sentence',
  async (attachmentPart, message, description) => {
    const { error } = await download({ attachmentPart });
    expect(error?.message).toContain(message);
    expect(error?.description).toContain(description);
  },
);

test.each(['../../etc/passwd', 'C:\\temp\\passwd', '/passwd', 'a/../passwd', 'pass\u202ewd'])(
  'folders are removed from the name %j',
  async (name) => {
    await place.sandbox.changeRecord(place.app.id, '1', { Docs: [{ name, text: 'x' }] });
    const { items } = await download();
    expect(items[0]?.binary?.data?.fileName).toBe('passwd');
    expect(items[0]?.binary?.data?.directory).toBeUndefined();
    expect(items[0]?.json.name).toBe('passwd');
  },
);

// What is taken for a file stands in test/unit/service/read/download.test.ts.
describe('what is not there is told', () => {
  test.each([['200'], ['400']])(
    'a refusal with HTTP status %s names the file and the reason',
    async (failureStatus) => {
      await place.sandbox.setDialect({ failureStatus });
      await place.sandbox.setFaults([
        { kind: 'ng', action: 'download_data_file', errorno: -7, message: 'no right' },
      ]);
      const { error } = await download();
      expect(error?.message).toContain('The file "a.pdf"');
      expect(error?.message).toContain('no right');
      expect(error?.description).toContain('right to read it');
    },
  );

  test('a file that disappeared after the record was read', async () => {
    await place.meanwhile({ action: 'download_data_file' }, async () => await place.change({ Docs: [] }));
    const { error } = await download();
    expect(error?.message).toContain('is not available to you');
    expect(error?.description).toContain('removed after the record was read');
  });

  test('a part without the right to read it', async () => {
    await place.sandbox.setUser('1002', { rights: { [place.app.identifier]: { parts: { Docs: 'none' } } } });
    const engine = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'sandbox-key-tanaka' });
    const { error } = await download({}, engine);
    expect(error?.message).toContain('"Docs" (ID');
    expect(error?.message).toContain('is not shown: you have no right to read it');
  });
});

test.each([
  ['an ID', { attachmentIds: '={{ $json.x }}' }, 'The list of IDs is empty'],
  ['an ID in a list', { attachmentIds: '={{ [$json.x] }}' }, 'The list of IDs is empty'],
  ['a list of IDs', { attachmentIds: '={{ [] }}' }, 'The list of IDs is empty'],
  ['a list of rows', { attachmentPart: 'Lines.Plan', rowId: '={{ [] }}' }, /^The row ID is empty/],
  ['a row', { attachmentPart: 'Lines.Plan', rowId: '={{ $json.x }}' }, 'The row ID is empty'],
  ['an ID in an object', { attachmentIds: '={{ { name: "b.txt" } }}' }, 'is an object without an ID'],
])('%s that an expression does not give does not mean all of them', async (_, more, message) => {
  const { error } = await download(more);
  expect(error?.message).toMatch(message);
  expect((await download({ ...more, attachmentIds: '', rowId: '' })).items).not.toEqual([]);
});
