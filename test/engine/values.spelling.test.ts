import type { INodeParameters } from 'n8n-workflow';

import { LINES } from './support/rows';
import { type Row, testTable } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

/** What is written is what was meant: values that could be read in two ways, or that came broken. */
const PARTS = [
  { name: 'Name', type: 'textbox' },
  { name: 'Price', type: 'number' },
  { name: 'Due', type: 'date' },
  { name: 'Seen', type: 'datetime' },
  { name: 'Owner', type: 'users' },
  { name: 'Tags', type: 'checkbox', options: ['A', ' A', 'red', 'blue', '[1]'] },
  { name: 'Photo', type: 'files' },
  { name: 'message', type: 'textbox' },
  { name: 'url', type: 'textbox' },
  LINES,
] as const;

const place = useWorkplace(null);

const EMPTY = { parts: PARTS, records: [] };
const meant = (base: RunSettings, rows: readonly Row[]): void =>
  testTable(place, base, rows, { application: EMPTY });

/** Every value is what the item's `v` is. */
const from = (part: string, more: RunSettings = {}): RunSettings => ({
  values: { [part]: '={{ $json.v }}' },
  ...more,
});

const HALF = '\ud83d';
const DIGITS = '12345678901234567000';

describe('numbers', () => {
  meant({ operation: 'create' }, [
    {
      name: 'a comma that is none between thousands is refused',
      run: from('Price'),
      items: [{ v: '0,123' }],
      error: /does not accept "0,123": it is not a number$/,
      sent: { insert_data: 0 },
    },
    {
      name: 'a comma between thousands is one',
      run: from('Price'),
      items: [{ v: '1,234.50' }],
      stored: [{ Price: '1234.50' }],
    },
  ]);
});

describe('numbers that lost digits in the answer of the service', () => {
  const records = [{ Name: 'old', Price: DIGITS }];
  const Price = '12345678901234567891';
  testTable(
    place,
    { operation: 'update', recordId: '1' },
    [
      {
        name: 'are null, and said to be',
        ...{ run: { operation: 'get' }, shows: [{ Price: null, partErrors: { Price: 'rounded' } }] },
      },
      {
        name: 'are written back with the record that was read: nothing of them is sent',
        run: { values: null },
        items: [{ id: '1', Name: 'new', Price: null, partErrors: { Price: 'rounded' } }],
        ...{ output: [{ id: '1', outcome: 'updated' }], stored: [{ Name: 'new', Price: DIGITS }] },
      },
      {
        name: 'are never unchanged',
        run: { values: { Price }, options: { skipUnchanged: true } },
        ...{ output: [{ id: '1', outcome: 'updated' }], stored: [{ Price }] },
      },
      ...['upsert', 'sync'].map((operation): Row => ({
        name: `are no key of ${operation}: no record of another number is overwritten`,
        run: { operation, matchBy: ['Price'], values: { Name: 'new', Price } },
        ...{ error: /Price/, stored: records },
      })),
      {
        name: 'equal nothing',
        run: {
          operation: 'count',
          filters: { condition: [{ part: 'Price', operator: 'notEquals', value: '7' }] },
        },
        output: [{ count: 0 }],
      },
    ],
    { application: { ...EMPTY, records }, dialect: { numbers: 'number' } },
  );
});

describe('half a character', () => {
  const message = /it holds half a character, as a text does that was cut by length$/;
  meant({ operation: 'create' }, [
    {
      name: 'is refused in a part',
      run: from('Name'),
      items: [{ v: `a${HALF}` }],
      error: message,
      sent: { insert_data: 0 },
    },
  ]);
  meant({ operation: 'upsert', matchBy: ['Name'] }, [
    {
      name: 'is refused in a key, which would make a record at each run',
      run: from('Name'),
      items: [{ v: HALF }],
      error: message,
      sent: { insert_data: 0 },
    },
  ]);
  meant({ operation: 'count' }, [
    {
      name: 'is refused in a keyword',
      run: { options: { keyword: `={{ "${HALF}" }}` } },
      error: /"Keyword" must be a text/,
    },
    {
      name: 'is refused in a filter',
      run: { filters: { condition: [{ part: 'Name', value: `a${HALF}` }] } },
      error: message,
    },
  ]);
});

describe('choices', () => {
  meant({ operation: 'create' }, [
    {
      name: 'the exact option comes first',
      run: from('Tags'),
      items: [{ v: 'red\n A' }],
      stored: [{ Tags: ['red', ' A'] }],
    },
  ]);
  const records = [{ Name: 'a', Tags: ['red'], Owner: ['1001'], Lines: [{ Tags: ['new'] }] }];
  meant({ operation: 'update', recordId: '1' }, [
    {
      name: 'a list of what is not there empties no part, and a hint counts it',
      application: { ...EMPTY, records },
      run: {
        values: {
          Name: 'b',
          Tags: '={{ [$json.x, $json.y] }}',
          Owner: '={{ [$json.x] }}',
          Lines: '={{ [{ id: "1", Item: "i", Tags: [$json.x] }] }}',
        },
      },
      stored: [{ Name: 'b', Tags: ['red'], Owner: ['1001'] }],
      hints: ['Fields not sent because their expressions returned nothing: 2'],
      after: async () => {
        const [record] = await place.stored();
        expect(record?.values.Lines).toMatchObject([{ Item: 'i', Tags: ['new'] }]);
      },
    },
  ]);
});

describe('all values by one expression', () => {
  const parts = (value: unknown): INodeParameters =>
    ({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }) as INodeParameters;
  meant({ operation: 'create' }, [
    {
      name: 'JSON text is read as the object that it holds',
      run: { parts: parts('={{ JSON.stringify($json) }}') },
      items: [{ Name: 'x', Price: 3 }],
      stored: [{ Name: 'x', Price: '3' }],
    },
    {
      name: 'an object is one',
      run: { parts: parts('={{ $json }}') },
      items: [{ Name: 'x' }],
      stored: [{ Name: 'x' }],
    },
    ...['text', ['x']].map((v) => ({
      name: `${JSON.stringify(v)} is refused whole, not letter by letter`,
      run: { parts: parts('={{ $json.v }}') },
      items: [{ v }],
      error: /^The values to send are no object, but /,
      sent: { insert_data: 0 },
    })),
  ]);
  const row = { application: { ...EMPTY, records: [{ Name: 'a' }] }, items: [{ Item: 'x' }] };
  meant({ resource: 'tableRow', operation: 'add', recordId: '1', tablePart: 'Lines' }, [
    {
      name: 'those of a row likewise',
      ...row,
      run: { row: parts('={{ JSON.stringify($json) }}') },
      output: [{ recordId: '1', outcome: 'created' }],
    },
  ]);
});

describe("parts with the keys of the nodes' own output", () => {
  meant({ operation: 'create', values: null }, [
    {
      name: 'are written under the marked key',
      items: [{ Name: 'x', message: 'of a node', 'message (part)': 'Hello' }],
      stored: [{ message: 'Hello' }],
      hints: [],
    },
    {
      name: 'those of the triggers likewise, in an item with an event',
      items: [
        { Name: 'x', url: 'https://x', event: 'push' },
        { Name: 'y', url: 'https://y' },
      ],
      stored: [{ Name: 'x' }, { Name: 'y', url: 'https://y' }],
    },
  ]);
});

describe('a date with a time', () => {
  meant({ operation: 'create' }, [
    {
      name: 'is the day that it is in the zone of the workflow',
      run: from('Due'),
      items: [{ v: '2026-03-01T23:00:00Z' }],
      engine: { timezone: 'Asia/Tokyo' },
      stored: [{ Due: '2026-03-02' }],
    },
    {
      name: 'is refused where that is no zone',
      run: from('Seen'),
      items: [{ v: '2026-03-01T12:00:00Z' }],
      engine: { timezone: 'JST' },
      error: 'cannot be converted to the time zone "JST"',
    },
  ]);

  test('a credential with a zone that is none is refused before anything is sent', async () => {
    await place.open(EMPTY);
    const parameters = place.parameters('create', { values: { Seen: '2026-03-01T12:00:00Z' } });
    expect((await place.inZone('BST').run(parameters)).error?.message).toMatch(/Time Zone/);
    expect(await place.actions()).toEqual([]);
  });
});
