import { LINES, withFiles } from './support/rows';
import { each, testTable, type Row, type Rows } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const application = {
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [
    {
      Name: 'Order',
      Docs: [{ name: 'a.txt', text: 'old' }],
      Lines: [{ Item: 'a' }, { Item: 'b', Plan: [{ name: 'plan.txt', text: 'plan' }] }],
    },
  ],
};

interface StoredFile {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

const X = { name: 'x.txt', text: 'x' };
const Y = { name: 'y.png', text: 'yy', type: 'image/png' };
const docs = async () => ((await place.storedAt())?.values.Docs ?? []) as StoredFile[];
const plans = async () =>
  ((await place.storedAt())?.values.Lines as { Plan?: StoredFile[] }[]).map(({ Plan = [] }) =>
    Plan.map(({ name }) => name).sort(),
  );
/** The names of the files that are there then. */
const there = (...names: string[]): Pick<Row, 'after'> => ({
  after: async () => expect((await docs()).map(({ name }) => name).sort()).toEqual(names),
});
const output = (...files: string[]) => [{ recordId: '1', outcome: 'updated', files }];
const PLAN = { attachmentPart: 'Lines.Plan', rowId: '2' };

const cases = (rows: Rows, files: Parameters<typeof withFiles>[0] = { data: X, photo: Y }): void =>
  testTable(
    place,
    {
      ...{ resource: 'attachment', operation: 'upload', recordId: '1', attachmentPart: 'Docs' },
      binaryPropertyName: Object.keys(files).join(', '),
    },
    rows,
    { application, engine: { input: [withFiles(files)] } },
  );

describe('files', () => {
  cases({
    'of several binary fields go in one request, and the existing ones stay': {
      output: output('x.txt', 'y.png'),
      sent: { update_data: 1 },
      after: async () =>
        expect((await docs()).map(({ name, mimeType, size }) => [name, mimeType, size])).toEqual([
          ['a.txt', 'text/plain', 3],
          ['x.txt', 'text/plain', 1],
          ['y.png', 'image/png', 2],
        ]),
    },
    ...each([
      ['one', '={{ $("Start").item.binary.photo }}', ['y.png']],
      ['all of an item', '={{ $("Start").item.binary }}', ['x.txt', 'y.png']],
      ['a list with a name in it', '={{ [$("Start").item.binary.photo, "data"] }}', ['x.txt', 'y.png']],
    ] as const)('of an earlier node, by an expression: %s', ([, binaryPropertyName, files]) => ({
      run: { binaryPropertyName },
      output: output(...files),
      ...there('a.txt', ...files),
    })),
    'of a row go in one request, too': {
      ...{ run: PLAN, sent: { update_data: 1 } },
      after: async () => expect(await plans()).toEqual([[], ['plan.txt', 'x.txt', 'y.png']]),
    },
  });
});

describe('a file', () => {
  for (const name of ['見積書 "2026"; 100% = émoji 🎉 & more.pdf', 'no extension'])
    cases(
      {
        [`keeps its name ${name}`]: { output: output(name) },
      },
      { data: { name, text: 'x' } },
    );
  cases({ 'may be empty': { output: output('empty.txt') } }, { data: { name: 'empty.txt', text: '' } });
  cases(
    { 'may have the name and size of one that is there': { ...there('a.txt', 'a.txt') } },
    { data: { name: 'a.txt', text: 'new' } },
  );
  const tooLarge = { kind: 'status', status: 413, action: 'update_data' } as const;
  cases({ 'too large': { faults: [tooLarge], error: /413/, ...there('a.txt') } });
});

describe('refused before anything is sent', () => {
  const sent = { update_data: 0 };
  cases({
    'no such field': {
      ...{ sent, run: { binaryPropertyName: 'data, nothing' } },
      error: 'The item has no binary field "nothing"',
    },
    ...each(['={{ "" }}', '={{ $json.nope }}'])('no field: %s', (binaryPropertyName) => ({
      ...{ sent, run: { binaryPropertyName }, error: 'No binary field is named' },
    })),
    'no row': { sent, run: { attachmentPart: 'Lines.Plan' }, error: 'The row ID is empty' },
    'a missing row': { sent, run: { ...PLAN, rowId: '77' }, error: 'has no row 77' },
    'a row without an ID': {
      ...{ sent, run: PLAN, dialect: { rowIds: 'none' } },
      error: 'the service returns no IDs for them',
    },
  });
});

describe('what is not added is named', () => {
  cases({
    'without the right to change the part': {
      rights: { parts: { Docs: 'read' } },
      error: 'You have no right to change the part "Docs"',
    },
  });
});
