import { ORDER, ORDER_PARTS, type StoredFile } from './support/orders';
import { withFiles } from './support/rows';
import { useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useWorkplace({
  parts: [...ORDER_PARTS, { name: 'Photos', type: 'files' }],
  records: [
    {
      ...ORDER,
      Lines: [{ Item: 'x', Plan: [{ name: 'plan.txt', text: 'plan' }] }],
      Photos: [{ name: 'p.png', mimeType: 'image/png', text: 'png' }],
    },
    { Name: 'Plain' },
  ],
});

const filesOf = async (part: string, id = '1') =>
  ((await place.stored()).find((record) => record.id === id)?.values[part] ?? []) as StoredFile[];
const namesOf = async (part: string, id = '1') => (await filesOf(part, id)).map(({ name }) => name);
const INPUT = [
  withFiles({
    data: { name: 'x.txt', text: 'x' },
    photo: { name: 'y.png', text: 'yy', type: 'image/png' },
  }),
];

describe('Create', () => {
  test.each(['all', 'first', 'last'])(
    'uploads several files if the service keeps %s of one name',
    async (severalFiles) => {
      await place.sandbox.setDialect({ severalFiles });
      const { json } = await place.create({ values: { Name: 'N', Docs: 'data, photo' } }, { input: INPUT });
      expect(json[0]?.outcome).toBe('created');
      expect((await namesOf('Docs', json[0]?.id as string)).sort()).toEqual(['x.txt', 'y.png']);
    },
  );

  test('sends line breaks unchanged, with files or without', async () => {
    const Note = 'one\ntwo\r\nthree\n';
    const { json } = await place.create({ values: { Note, Docs: 'data' } }, { input: INPUT });
    const plain = await place.create({ values: { Note } });
    const notes = (await place.stored()).filter(({ id }) => [json[0]?.id, plain.json[0]?.id].includes(id));
    expect(notes.map(({ values }) => values.Note)).toEqual([Note, Note]);
  });

  test('a missing binary field is refused before anything is sent', async () => {
    const { error } = await place.create({ values: { Name: 'N', Docs: 'nothing' } }, { input: INPUT });
    const part = `"Docs" (ID ${place.part('Docs')})`;
    expect(error?.message).toBe(`The item has no binary field "nothing" for part ${part}`);
    expect(error?.description).toBe('Its binary fields are: data, photo.');
    expect(await place.calls('insert_data')).toEqual([]);
  });
});

describe('Update', () => {
  test('adds and removes in the first request, and removes the rest one by one', async () => {
    const [a, b] = (await filesOf('Docs')).map(({ id }) => id);
    const { json } = await place.update(
      { values: { Name: 'Changed', Docs: { add: ['data'], remove: [a, b] }, Photos: 'photo' } },
      { input: INPUT },
    );
    expect(json).toEqual([{ id: '1', outcome: 'updated' }]);
    expect([await namesOf('Docs'), await namesOf('Photos')]).toEqual([['x.txt'], ['p.png', 'y.png']]);
    const removals = (await place.calls('update_data')).map(
      ({ parameters }) => parameters.filter(([name]) => name.endsWith('.del_attachment_id')).length,
    );
    expect(removals).toEqual([1, 1]);
  });

  test.each([[null], [[]], ['']])('%j changes nothing', async (Docs) => {
    await place.update({ values: { Name: 'N', Docs } });
    expect(await namesOf('Docs')).toEqual(['a.txt', 'b.txt']);
  });
});

describe('downloadAttachments', () => {
  const options = { downloadAttachments: true };
  const contentOf = (binary: Record<string, { data: string }> | undefined) =>
    Object.fromEntries(
      Object.entries(binary ?? {}).map(([name, { data }]) => [name, Buffer.from(data, 'base64').toString()]),
    );
  const ALL = { attachment_0: 'a', attachment_1: 'bb', attachment_2: 'plan', attachment_3: 'png' };

  test('Get returns all files by part, then file, including those in rows', async () => {
    const { items } = await place.run('get', { recordId: '1', options });
    expect(contentOf(items[0]?.binary)).toEqual(ALL);
    expect(Object.keys(items[0]?.binary ?? {})).toEqual(Object.keys(ALL));
    expect(items[0]?.json).toMatchObject({
      Docs: [
        { name: 'a.txt', binary: 'attachment_0' },
        { name: 'b.txt', binary: 'attachment_1' },
      ],
      Lines: [{ Plan: [{ binary: 'attachment_2' }] }],
      Photos: [{ binary: 'attachment_3' }],
    });
  });

  test('raw output is unchanged, with the same files', async () => {
    const raw = await place.run('get', { recordId: '1', simplify: false });
    const { items } = await place.run('get', { recordId: '1', simplify: false, options });
    expect(items[0]?.json).toEqual(raw.json[0]);
    expect(contentOf(items[0]?.binary)).toEqual(ALL);
  });

  test('only of the returned parts', async () => {
    const { items } = await place.run('get', {
      recordId: '1',
      options: { ...options, partsToReturn: ['Photos'] },
    });
    expect(contentOf(items[0]?.binary)).toEqual({ attachment_0: 'png' });
  });

  test('Get Many returns them for each record, and no item if there are none', async () => {
    const { items } = await place.run('getAll', { returnAll: true, options });
    expect(items.map(({ binary }) => contentOf(binary))).toEqual([ALL, {}]);
    expect(items[1]).not.toHaveProperty('binary');
  });

  test('a refused file fails the item with a sentence', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', action: 'download_data_file', skip: 1, errorno: -9, message: 'no right' },
    ]);
    const { error } = await place.run('get', { recordId: '1', options });
    expect(error?.message).toMatch(/The file ".*" \(ID \d+\) of record 1 is not available to you/);
  });

  test.each([403, 500])('a file that fails with HTTP %i is named', async (status) => {
    await place.sandbox.setFaults([{ kind: 'status', status, action: 'download_data_file', skip: 1 }]);
    const { error } = await place.run('get', { recordId: '1', options });
    expect(error?.message).toMatch(/^The file ".*" \(ID \d+\) of record 1 could not be downloaded: /);
  });
});
