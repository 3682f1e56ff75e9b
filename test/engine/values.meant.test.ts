import type { INodeParameters } from 'n8n-workflow';

import { LINES } from './support/rows';
import { type Row, testTable } from './support/table';
import { type RunSettings, useWorkplace, type Workplace } from './support/workplace';

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

const place = useWorkplace({ parts: PARTS, records: [] });

const meant = (base: RunSettings, rows: readonly Row[]): void => {
  const inPlace = (row: Row): Row => ({
    ...row,
    application: { parts: PARTS, records: [], ...row.application },
  });
  testTable(place, base, rows.map(inPlace));
};

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
      name: 'no group of thousands begins with 0',
      run: from('Price'),
      items: [{ v: '0,123' }],
      error: /does not accept "0,123": it is not a number$/,
      sent: { insert_data: 0 },
    },
    {
      name: 'a comma between thousands is one',
      run: from('Price'),
      items: [{ v: '12,345' }, { v: '1,234.50' }],
      stored: [{ Price: '12345' }, { Price: '1234.50' }],
    },
    {
      name: 'what is divided by 0 is no number',
      run: { values: { Price: '={{ 1 / 0 }}' } },
      error: /does not accept Infinity: it is not a number$/,
    },
  ]);
});

describe('numbers that lost digits in the answer of the service', () => {
  const records = [{ Name: 'old', Price: DIGITS }];
  const dialect = { numbers: 'number' };
  meant({ operation: 'get', recordId: '1' }, [
    {
      name: 'are null, and said to be',
      application: { records },
      dialect,
      after: async (_, { json }) => {
        expect(json[0]).toMatchObject({ Price: null, partErrors: { Price: 'rounded' } });
        await Promise.resolve();
      },
    },
  ]);
  meant({ operation: 'update', recordId: '1' }, [
    {
      name: 'are written back with the record that was read: nothing of them is sent',
      application: { records },
      dialect,
      run: { values: null },
      items: [{ id: '1', Name: 'new', Price: null, partErrors: { Price: 'rounded' } }],
      output: [{ id: '1', outcome: 'updated' }],
      stored: [{ Name: 'new', Price: DIGITS }],
    },
    {
      name: 'are never unchanged',
      application: { records },
      dialect,
      run: { values: { Price: '12345678901234567891' }, options: { skipUnchanged: true } },
      output: [{ id: '1', outcome: 'updated' }],
      stored: [{ Price: '12345678901234567891' }],
    },
  ]);
  meant({ operation: 'upsert', matchBy: ['Price'] }, [
    {
      name: 'are no key: no record of another number is overwritten',
      application: { records },
      dialect,
      run: { values: { Name: 'new', Price: '12345678901234567891' } },
      error: /Price/,
      stored: records,
    },
  ]);
  meant({ operation: 'sync', matchBy: ['Price'] }, [
    {
      name: 'are no key of Sync either',
      application: { records },
      dialect,
      run: { values: { Name: 'new', Price: '12345678901234567891' } },
      error: /Price/,
      stored: records,
    },
  ]);
  meant({ operation: 'count' }, [
    {
      name: 'equal nothing',
      application: { records },
      dialect,
      run: { filters: { condition: [{ part: 'Price', operator: 'notEquals', value: '7' }] } },
      output: [{ count: 0 }],
    },
  ]);
});

describe('half a character', () => {
  const message = /it holds half a character, as a text does that was cut by length$/;
  const photo = { data: 'eA==', mimeType: 'text/plain', fileName: `a${HALF}.txt` };
  meant({ operation: 'create' }, [
    ...['Name', 'message', 'Tags'].map((part) => ({
      name: `is refused in ${part}`,
      run: from(part),
      items: [{ v: `a${HALF}` }],
      error: message,
      sent: { insert_data: 0 },
    })),
    {
      name: 'is refused in a row, and in JSON text of rows',
      run: { values: { Lines: '[{"Item": "a\\ud83d"}]' } },
      error: /^Table part "Lines" .*, row 1: Part "Item" .* it holds half a character/,
      sent: { insert_data: 0 },
    },
    {
      name: 'is refused in the name of a file',
      run: { values: { Name: 'x', Photo: 'data' } },
      engine: { input: [{ json: {}, binary: { data: photo } }] },
      error: /half a character/,
      sent: { insert_data: 0 },
    },
    { name: 'a whole one is none', run: from('Name'), items: [{ v: 'a😀' }], stored: [{ Name: 'a😀' }] },
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
    ...(
      [
        [' A', [' A']],
        ['A', ['A']],
        ['red\n A', ['red', ' A']],
        ['red, blue', ['red', 'blue']],
        ['[1]', ['[1]']],
        ['["A"]', ['A']],
        [' red ', ['red']],
      ] as const
    ).map(([v, Tags]) => ({
      name: `${JSON.stringify(v)} is ${JSON.stringify(Tags)}: the exact option first`,
      run: from('Tags'),
      items: [{ v }],
      stored: [{ Tags }],
    })),
    {
      name: 'between commas, two options that differ by spaces only are not guessed',
      run: from('Tags'),
      items: [{ v: 'red, A' }],
      error: /does not accept/,
    },
  ]);
  const records = [{ Name: 'a', Tags: ['red'], Owner: ['1001'], Lines: [{ Tags: ['new'] }] }];
  meant({ operation: 'update', recordId: '1' }, [
    {
      name: 'a list of what is not there empties no part, and a hint counts it',
      application: { records },
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
    {
      name: 'null and an empty list still do',
      application: { records },
      run: { values: { Tags: '={{ [] }}', Owner: '={{ null }}' } },
      after: async () => {
        const [record] = await place.stored();
        expect(record?.values.Tags ?? []).toEqual([]);
        expect(record?.values.Owner ?? []).toEqual([]);
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
    ...['text', ['x'], '["x"]', 7].map((v) => ({
      name: `${JSON.stringify(v)} is refused whole, not letter by letter`,
      run: { parts: parts('={{ $json.v }}') },
      items: [{ v }],
      error: /^The values to send are no object, but /,
      sent: { insert_data: 0 },
    })),
  ]);
  const row = { application: { records: [{ Name: 'a' }] }, items: [{ Item: 'x' }] };
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
    { name: 'are not written', items: [{ Name: 'x', message: 'Hello', id: '7' }], stored: [{ Name: 'x' }] },
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
  const due = { run: from('Due'), items: [{ v: '2026-03-01T23:00:00Z' }] };
  meant({ operation: 'create' }, [
    {
      ...due,
      name: 'is the day that it is in the zone of the workflow',
      engine: { timezone: 'Asia/Tokyo' },
      stored: [{ Due: '2026-03-02' }],
    },
    { ...due, name: 'in any zone', engine: { timezone: 'Europe/London' }, stored: [{ Due: '2026-03-01' }] },
  ]);

  test.each(['BST', 'EST', 'JST', 'bst', 'Japan', '+09:00', 'Nowhere/City'])(
    '%s is no time zone: refused before anything is sent',
    async (zone) => {
      await place.sandbox.clearLog();
      const { error } = await place
        .inZone(zone)
        .run(place.parameters('create', { values: { Seen: '2026-03-01T12:00:00Z' } }));
      expect(error?.message).toMatch(/Time Zone/);
      expect(await place.actions()).toEqual([]);
    },
  );

  test.each(['BST', 'JST'])('nor is %s as that of the workflow', async (timezone) => {
    const { error } = await place.create({ values: { Seen: '2026-03-01T12:00:00Z' } }, { timezone });
    expect(error?.message).toContain(`cannot be converted to the time zone "${timezone}"`);
  });
});

describe('people by name', () => {
  const byName = { options: { peopleByName: true } };
  const named = async (own: Workplace): Promise<void> => {
    await own.sandbox.setUser('1001', { name: 'Doe, John' });
    await own.sandbox.setUser('1002', { name: 'Doe' });
    await own.sandbox.setUser('1003', { name: 'John' });
  };
  const records = [{ Owner: ['1001', '1002', '1003'] }];
  const last = (Owner: readonly string[]) => [{}, { Owner }];
  meant({ operation: 'create', ...byName }, [
    {
      name: 'a name with a comma is one name',
      application: { records },
      before: named,
      run: from('Owner'),
      items: [{ v: 'Doe, John' }],
      stored: last(['1001']),
    },
    {
      name: 'a text that is no name is split at its commas',
      application: { records },
      before: named,
      run: from('Owner'),
      items: [{ v: 'John, Doe' }],
      stored: last(['1003', '1002']),
    },
    {
      name: 'each line is looked at as a whole first',
      application: { records },
      before: named,
      run: from('Owner'),
      items: [{ v: 'Doe, John\nJohn' }],
      stored: last(['1001', '1003']),
    },
  ]);
});
