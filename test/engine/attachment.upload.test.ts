import { LINES, withFiles } from './support/rows';
import { RETRY, useWorkplace } from './support/workplace';

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [
    {
      Name: 'Order',
      Docs: [{ name: 'a.txt', text: 'old' }],
      Lines: [{ Item: 'a' }, { Item: 'b', Plan: [{ name: 'plan.txt', text: 'plan' }] }],
    },
  ],
});

const upload = async (files: Parameters<typeof withFiles>[0], more = {}, node = {}) =>
  await place.run(
    'upload',
    {
      resource: 'attachment',
      recordId: '1',
      attachmentPart: 'Docs',
      binaryPropertyName: Object.keys(files).join(', '),
      ...more,
    },
    { input: [withFiles(files)], node },
  );

const docs = async () => ((await place.storedAt())?.values.Docs ?? []) as StoredFile[];
const names = async () => (await docs()).map(({ name }) => name);
const TWO = { data: { name: 'x.txt', text: 'x' }, photo: { name: 'y.png', text: 'yy', type: 'image/png' } };

test('says what was written if the record is deleted before all files are uploaded', async () => {
  await place.sandbox.setDialect({ severalFiles: 'first' });
  await place.meanwhile(
    { action: 'update_data', skip: 1, times: 1 },
    async () => await place.sandbox.removeRecord(place.app.id, place.record()),
  );
  const { error } = await upload(TWO);
  expect(error?.message).toMatch(
    /^The record 1 was written, but the file "y.png" was not added to "Docs" \(ID 102\): The service refused: /,
  );
});

test('a file that is refused, and a record that cannot be read then: what the service says', async () => {
  await place.sandbox.setDialect({ severalFiles: 'first' });
  const refused = { kind: 'ng', errorno: -1, message: 'no' } as const;
  await place.sandbox.setFaults([
    { ...refused, action: 'update_data', skip: 1 },
    { ...refused, action: 'get_data', skip: 2 },
  ]);
  const { error } = await upload(TWO);
  expect(error?.message).toMatch(
    /^The record 1 was written, but the file "y.png" was not added to "Docs" \(ID 102\): The service refused: no/,
  );
});

test.each([
  ['one file', '={{ $("Start").item.binary.photo }}', ['y.png']],
  ['all files of an item', '={{ $("Start").item.binary }}', ['x.txt', 'y.png']],
  ['a list with a name in it', '={{ [$("Start").item.binary.photo, "data"] }}', ['x.txt', 'y.png']],
])('an expression returns %s of an earlier node', async (_, binaryPropertyName, files) => {
  const { json, error } = await upload(TWO, { binaryPropertyName });
  expect(error).toBeUndefined();
  expect(json).toEqual([{ recordId: '1', outcome: 'updated', files }]);
  expect(await names()).toEqual(['a.txt', ...files]);
});

test('adds several binary fields in one request and keeps the existing files', async () => {
  const { json, error } = await upload(TWO);
  expect(error).toBeUndefined();
  expect(json).toEqual([{ recordId: '1', outcome: 'updated', files: ['x.txt', 'y.png'] }]);
  expect((await docs()).map(({ name, mimeType, size }) => [name, mimeType, size])).toEqual([
    ['a.txt', 'text/plain', 3],
    ['x.txt', 'text/plain', 1],
    ['y.png', 'image/png', 2],
  ]);
  expect(await place.calls('update_data')).toHaveLength(1);
});

test.each([
  '見積書 2026.pdf',
  'a "quoted" name.txt',
  "it's; 100% = ok & more.txt",
  'émoji 🎉.txt',
  'no extension',
])('the name %j is sent unchanged', async (name) => {
  const { json, error } = await upload({ data: { name, text: 'x' } });
  expect(error).toBeUndefined();
  expect(json[0]?.files).toEqual([name]);
  expect((await names())[1]).toBe(name);
});

test('an empty file, and a file with the name and size of an existing one', async () => {
  const { json } = await upload({ data: { name: 'empty.txt', text: '' } });
  expect(json[0]?.files).toEqual(['empty.txt']);
  await upload({ data: { name: 'a.txt', text: 'new' } });
  expect(await names()).toEqual(['a.txt', 'empty.txt', 'a.txt']);
});

describe.each(['all', 'first', 'last'])(
  'a service that keeps %s of several files of one name',
  (severalFiles) => {
    test('has them all at the end, counted by reading', async () => {
      await place.sandbox.setDialect({ severalFiles });
      const { json, error } = await upload({ ...TWO, more: { name: 'z.txt', text: 'zzz' } });
      expect(error).toBeUndefined();
      expect([...(json[0]?.files as string[])].sort()).toEqual(['x.txt', 'y.png', 'z.txt']);
      expect((await names()).sort()).toEqual(['a.txt', 'x.txt', 'y.png', 'z.txt']);
    });

    test('the same in a row', async () => {
      await place.sandbox.setDialect({ severalFiles });
      const { error } = await upload(TWO, { attachmentPart: 'Lines.Plan', rowId: '2' });
      expect(error).toBeUndefined();
      const rows = (await place.storedAt())?.values.Lines as { Item: string; Plan?: StoredFile[] }[];
      expect(rows.map(({ Item, Plan }) => [Item, Plan?.map(({ name }) => name).sort()])).toEqual([
        ['a', undefined],
        ['b', ['plan.txt', 'x.txt', 'y.png']],
      ]);
    });
  },
);

describe('refused before anything is sent', () => {
  test.each([
    [{ binaryPropertyName: 'data, nothing' }, 'The item has no binary field "nothing"'],
    [{ attachmentPart: 'Name' }, 'is not an attachment part'],
    [{ attachmentPart: 'Lines.Plan' }, 'The row ID is empty'],
    [{ binaryPropertyName: '={{ "" }}' }, 'No binary field is named'],
  ])('%j', async (more, message) => {
    const { error } = await upload(TWO, more);
    expect(error?.message).toContain(message);
    expect(await place.calls('update_data')).toEqual([]);
  });

  test('a missing row', async () => {
    const { error } = await upload(TWO, { attachmentPart: 'Lines.Plan', rowId: '77' });
    expect(error?.message).toContain('has no row 77');
    expect(await place.calls('update_data')).toEqual([]);
  });

  test('a row if the service returns no row ids', async () => {
    await place.sandbox.setDialect({ rowIds: 'none' });
    const { error } = await upload(TWO, { attachmentPart: 'Lines.Plan', rowId: '2' });
    expect(error?.message).toContain('the service returns no IDs for them');
    expect(await place.calls('update_data')).toEqual([]);
  });
});

describe('faults', () => {
  test("without the right to change the part, the service's message is shown", async () => {
    await place.sandbox.setUser('1001', { rights: { [place.app.identifier]: { parts: { Docs: 'read' } } } });
    const { error } = await upload(TWO);
    expect(error?.message).toContain('You have no right to change the part "Docs"');
  });

  test('a file that is too large', async () => {
    await place.sandbox.setDialect({ maxFileBytes: 10 });
    const { error } = await upload({ data: { name: 'large.txt', text: 'x'.repeat(100) } });
    expect(error?.message).toContain('too large');
    expect(await names()).toEqual(['a.txt']);
  });

  test('waits for a full queue', async () => {
    await place.sandbox.setFaults([
      { kind: 'status', status: 429, retryAfter: 0, action: 'update_data', times: 1 },
    ]);
    expect((await upload(TWO)).error).toBeUndefined();
    expect(await names()).toEqual(['a.txt', 'x.txt', 'y.png']);
  });

  test.each(['before', 'after'] as const)(
    'a connection lost %s the work: the record tells whether the files are there',
    async (when) => {
      await place.sandbox.setFaults([{ kind: 'drop', when, action: 'update_data', times: 1 }]);
      const { json, error } = await upload(TWO, {}, RETRY);
      expect(error).toBeUndefined();
      expect(json).toEqual([{ recordId: '1', outcome: 'updated', files: ['x.txt', 'y.png'] }]);
      expect(await names()).toEqual(['a.txt', 'x.txt', 'y.png']);
      expect(await place.calls('update_data')).toHaveLength(when === 'after' ? 1 : 2);
    },
  );

  test('a request that is lost after the write is settled by reading', async () => {
    for (const when of ['before', 'after'] as const) {
      await place.open({
        parts: [{ name: 'Docs', type: 'files' }],
        records: [{}],
      });
      await place.sandbox.setDialect({ severalFiles: 'first' });
      await place.sandbox.setFaults([{ kind: 'drop', when, action: 'update_data', skip: 1, times: 1 }]);
      const { error } = await upload(TWO);
      expect(error).toBeUndefined();
      expect((await names()).sort()).toEqual(['x.txt', 'y.png']);
    }
  });

  test('the files that are missing are named, and a further try sends none of them twice', async () => {
    await place.sandbox.setDialect({ severalFiles: 'first' });
    const fault = { kind: 'ng', action: 'update_data', skip: 1, errorno: -9, message: 'no' } as const;
    await place.sandbox.setFaults([fault]);
    const { error } = await upload(TWO);
    expect(error?.message).toContain(
      'The record 1 was written, but the file "y.png" was not added to "Docs"',
    );

    await place.open({ parts: [{ name: 'Docs', type: 'files' }], records: [{}] });
    await place.sandbox.setDialect({ severalFiles: 'first' });
    await place.sandbox.setFaults([{ ...fault, times: 1 }]);
    const retried = await upload(TWO, {}, RETRY);
    expect(retried.error?.message).toBe(
      'The record 1 was written, but it is not known whether the service kept these files in "Docs" (ID 101): "x.txt", "y.png"',
    );
    expect(await names()).toEqual(['x.txt']);
  });
});
