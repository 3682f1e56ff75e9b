import { type RunSettings, useWorkplace } from './support/workplace';
import { LINES, withFiles } from './support/rows';
import { each, testTable, type Row, type Rows } from './support/table';

const place = useWorkplace(null);

const application = {
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [
    {
      Name: 'Order',
      Lines: [
        { Item: 'a', Qty: '1' },
        {
          Item: 'b',
          Plan: [
            { name: 'old.txt', text: 'o' },
            { name: 'kept.txt', text: 'k' },
          ],
        },
        { Item: 'c' },
      ],
    },
  ],
};

interface StoredRow {
  readonly id: string;
  readonly Item?: string;
  readonly Qty?: string;
  readonly Plan?: readonly { readonly id: string; readonly name: string }[];
}

const rows = async () => ((await place.storedAt())?.values.Lines ?? []) as StoredRow[];

/** Rows as `Item Qty files`. */
const expectRows = (...expected: string[]): Pick<Row, 'after'> => ({
  after: async () =>
    expect(
      (await rows()).map(({ Item = '', Qty = '', Plan = [] }) =>
        `${Item} ${Qty} ${Plan.map(({ name }) => name).join()}`.trim().replace(/ +/g, ' '),
      ),
    ).toEqual(expected),
});
const B = 'b old.txt,kept.txt';

/** Rows of a table part that Update writes: what is sent of them stands in test/unit/service/write/update.test.ts. */
const cases = (options: RunSettings['options'], rows: Rows): void =>
  testTable(place, { operation: 'update', recordId: '1', options }, rows, { application });
const lines = (given: unknown) => ({ run: { values: { Lines: given } } });

const FILES = {
  one: { name: '1.txt', text: '1' },
  two: { name: '2.txt', text: '22' },
  three: { name: '3.txt', text: '333' },
};
const input = [withFiles(FILES)];
/** Without the option, rows are merged. */
const [MERGE, REPLACE] = [{}, { tableRowMode: 'replace' }];
const CHANGES = [{ id: '3', Qty: 7 }, { Item: 'd' }];

describe('merge', () => {
  cases(MERGE, {
    ...each([{ given: CHANGES }, { given: JSON.stringify(CHANGES) }])(
      'changes, adds and keeps rows: %s',
      ({ given }) => ({
        ...{ ...lines(given), sent: { update_data: [{ '{{revision}}': '1' }] } },
        ...expectRows('a 1', B, 'c 7', 'd'),
      }),
    ),
    ...each([{ rowIds: 'plain', ids: 'number' }, { rowIds: 'value' }, { rowIds: 'part' }])(
      'however rows carry their IDs: %s',
      (dialect) => ({ dialect, ...lines(CHANGES), ...expectRows('a 1', B, 'c 7', 'd') }),
    ),
    'keeps every value of the rows that it sends, even if the service empties those that are left out': {
      dialect: { omittedChild: 'emptied' },
      ...lines([{ id: '1', Item: 'A' }]),
      ...expectRows('A 1', B, 'c'),
    },
    'adds to and removes files from the right rows, under the names of the rows as they are sent': {
      engine: { input },
      ...lines([
        { Item: 'd', Plan: 'one' },
        { id: '2', Plan: { add: ['two'], remove: ['={{ $json.old }}'] } },
        { Item: 'e', Plan: ['three', 'one'] },
      ]),
      before: async () => {
        const [, second] = await rows();
        input[0]!.json = { old: second?.Plan?.[0]?.id ?? '' };
      },
      ...expectRows('a 1', 'b kept.txt,2.txt', 'c', 'd 1.txt', 'e 3.txt,1.txt'),
    },
    'uses the current rows if somebody else is faster': {
      ...lines(CHANGES),
      meanwhile: [
        'update_data',
        async () => {
          const [, ...others] = await rows();
          const Lines = [...others.map(({ id, Item }) => ({ id, Item })), { Item: 'theirs' }];
          await place.change({ Lines });
        },
      ],
      sent: { update_data: [{ '{{revision}}': '1' }, { '{{revision}}': '2' }] },
      after: async () => expect((await rows()).map(({ Item }) => Item)).toEqual(['b', 'c', 'theirs', 'd']),
    },
  });
});

describe('replace', () => {
  cases(REPLACE, {
    'keeps only the rows given, in their order; those with an ID keep the values that are left out': {
      dialect: { omittedChild: 'emptied' },
      ...lines([{ Item: 'new' }, { id: '2', Qty: 5 }, { id: '1', Item: 'A' }]),
      sent: { update_data: [{ '{{revision}}': '1' }] },
      ...expectRows('new', 'b 5 old.txt,kept.txt', 'A 1'),
    },
    'an expression that returns null deletes all rows': { ...lines('={{ null }}'), ...expectRows() },
  });
});

testTable(place, 'create', {
  'Create writes rows with their files, and ignores row IDs of another record': {
    application,
    run: { values: { Name: 'New', Lines: [{ id: '77', Item: 'x', Plan: 'one' }, { Item: 'y' }] } },
    engine: { input: [withFiles(FILES)] },
    after: async () =>
      expect((await place.stored())[1]?.values.Lines).toMatchObject([
        { Item: 'x', Plan: [{ name: '1.txt' }] },
        { Item: 'y' },
      ]),
  },
});
