import { like } from './support/like';
import { ORDER, ORDER_PARTS, type StoredFile } from './support/orders';
import { useQuickRetries } from './support/quickRetries';
import { withFiles } from './support/rows';
import { CONTINUE, each, http, testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const application = {
  parts: [...ORDER_PARTS, { name: 'Photos', type: 'files' }],
  records: [
    {
      ...ORDER,
      Lines: [{ Item: 'x', Plan: [{ name: 'plan.txt', text: 'plan' }] }],
      Photos: [{ name: 'p.png', mimeType: 'image/png', text: 'png' }],
    },
    { Name: 'Plain' },
  ],
};
const input = [
  withFiles({ data: { name: 'x.txt', text: 'x' }, photo: { name: 'y.png', text: 'yy', type: 'image/png' } }),
];
const files = async (part: string, index = 0) =>
  ((await place.stored())[index]?.values[part] ?? []) as StoredFile[];
const names = async (part: string, index?: number) => (await files(part, index)).map(({ name }) => name);

const Note = 'one\ntwo\r\nthree\n';
testTable(
  place,
  'create',
  each(['Docs', 'Name'])('Create sends line breaks unchanged, with files or without: %s', (part) => ({
    ...{ run: { values: { Note, [part]: 'data, photo' } }, engine: { input } },
    stored: [{}, {}, { Note }],
    after: async () => expect(await names('Docs', 2)).toEqual(part === 'Docs' ? ['x.txt', 'y.png'] : []),
  })),
  { application },
);

describe('Download Attachments', () => {
  const ALL = { attachment_0: 'a', attachment_1: 'bb', attachment_2: 'plan', attachment_3: 'png' };
  /** The contents of the binary fields of each item, in their order. */
  const contents =
    (...expected: Record<string, string>[]): NonNullable<Row['after']> =>
    (_, { items }) => {
      const read = items.map(({ binary = {} }) =>
        Object.entries(binary).map(([name, { data }]) => [name, Buffer.from(data, 'base64').toString()]),
      );
      expect(read).toEqual(expected.map((each) => Object.entries(each)));
    };
  testTable(
    place,
    { operation: 'get', recordId: '1', options: { downloadAttachments: true } },
    {
      'Get returns all files by part, then file, including those in rows': {
        shows: [
          {
            Docs: ['a.txt', 'b.txt'].map((name, index) => ({ name, binary: `attachment_${index}` })),
            ...{ Lines: [{ Plan: [{ binary: 'attachment_2' }] }], Photos: [{ binary: 'attachment_3' }] },
          },
        ],
        after: contents(ALL),
      },
      'raw output is unchanged, with the same files': {
        run: { simplify: false },
        after: async (_, result) => {
          const { json } = await place.run('get', { recordId: '1', simplify: false });
          expect(result.json).toEqual(json);
          await contents(ALL)(place, result);
        },
      },
      'only of the returned parts': {
        ...{ run: { options: { partsToReturn: ['Photos'] } }, after: contents({ attachment_0: 'png' }) },
      },
      'Get Many returns them for each record, and none if there are none': {
        run: { operation: 'getAll', returnAll: true },
        after: async (_, result) => {
          await contents(ALL, {})(place, result);
          expect(result.items[1]).not.toHaveProperty('binary');
        },
      },
      // What is taken for a file: test/unit/service/read/download.test.ts.
      'a file that fails is named, and no other item': {
        ...{ faults: [http(403, 'download_data_file', { skip: 1 })], node: CONTINUE, items: [{}] },
        shows: [{ error: like(/^The file ".*" \(ID \d+\) of record 1 could not be downloaded: /) }],
      },
    },
    { application },
  );
});
