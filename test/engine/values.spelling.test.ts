import type { INodeParameters } from 'n8n-workflow';

import { LINES } from './support/rows';
import { type Row, testTable } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

/** What is written is what was meant. How values of each type are read: test/unit/parts/types. */
const place = useWorkplace(null);

const PARTS = [
  { name: 'Name', type: 'textbox' },
  { name: 'Price', type: 'number' },
  { name: 'Owner', type: 'users' },
  { name: 'Tags', type: 'checkbox', options: ['red', 'blue'] },
  LINES,
] as const;
const EMPTY = { parts: PARTS, records: [] };
const meant = (base: RunSettings, rows: readonly Row[], common: Partial<Row> = {}): void =>
  testTable(place, base, rows, { application: EMPTY, ...common });

describe('numbers that lost digits in the answer of the service', () => {
  const records = [{ Name: 'old', Price: '12345678901234567000' }];
  const Price = '12345678901234567891';
  meant(
    { operation: 'update', recordId: '1' },
    [
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
    ],
    { application: { ...EMPTY, records }, dialect: { numbers: 'number' } },
  );
});

const LONG = '123456789012345678';
const ROUNDED = 'it has more digits than a number in n8n can hold, so the last ones may be wrong';

describe('long numbers', () => {
  meant({ operation: 'create' }, [
    {
      name: 'in JSON text of rows keep their digits',
      run: { values: { Lines: `[{"Item":${LONG},"Qty":${LONG}},{"Item":"${LONG} \\"1\\""}]` } },
      stored: [
        {
          Lines: [{ Item: LONG, Qty: LONG }, { Item: `${LONG} "1"` }].map((row): unknown =>
            expect.objectContaining(row),
          ),
        },
      ],
    },
    {
      name: 'that were rounded are refused',
      run: { operation: 'sync', values: { Price: '={{ $json.n }}' }, matchBy: ['Price'] },
      ...{ items: [{ n: Number(LONG) }], sent: { insert_data: 0 } },
      error: new RegExp(`^Part "Price" \\(ID \\d+\\) does not accept 123456789012345680: ${ROUNDED}$`),
    },
  ]);
});

const HALF = 'a\ud83d';

meant({ operation: 'count' }, [
  ...(
    [
      ['a part', { operation: 'create', values: { Name: '={{ $json.v }}' } }, /it holds half a character/],
      ['a keyword', { options: { keyword: '={{ $json.v }}' } }, /"Keyword" must be a text/],
      ['a filter', { filters: { condition: [{ part: 'Name', value: HALF }] } }, /it holds half a character/],
    ] satisfies [string, RunSettings, RegExp][]
  ).map(([what, run, error]): Row => ({
    name: `half a character is refused in ${what}`,
    ...{ run, items: [{ v: HALF }], error, sent: { insert_data: 0 } },
  })),
  {
    name: 'a list of what is not there empties no part, and a hint counts it',
    application: {
      ...EMPTY,
      records: [{ Name: 'a', Tags: ['red'], Owner: ['1001'], Lines: [{ Tags: ['new'] }] }],
    },
    run: {
      ...{ operation: 'update', recordId: '1' },
      values: {
        Name: 'b',
        Tags: '={{ [$json.x, $json.y] }}',
        Owner: '={{ [$json.x] }}',
        Lines: '={{ [{ id: "1", Item: "i", Tags: [$json.x] }] }}',
      },
    },
    stored: [
      {
        ...{ Name: 'b', Tags: ['red'], Owner: ['1001'] },
        Lines: [expect.objectContaining({ Item: 'i', Tags: ['new'] })],
      },
    ],
    hints: ['Fields not sent because their expressions returned nothing: 2'],
  },
]);

const by = (value: unknown): INodeParameters =>
  ({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }) as INodeParameters;

describe('all values by one expression', () => {
  meant({ operation: 'create' }, [
    {
      name: 'JSON text is read as the object that it holds',
      ...{ run: { parts: by('={{ JSON.stringify($json) }}') }, items: [{ Name: 'x', Price: 3 }] },
      stored: [{ Name: 'x', Price: '3' }],
    },
    {
      name: 'an object is one',
      ...{ run: { parts: by('={{ $json }}') }, items: [{ Name: 'x' }], stored: [{ Name: 'x' }] },
    },
    ...['text', ['x']].map((v): Row => ({
      name: `${JSON.stringify(v)} is refused whole, not letter by letter`,
      ...{ run: { parts: by('={{ $json.v }}') }, items: [{ v }], sent: { insert_data: 0 } },
      error: /^The values to send are not an object, but /,
    })),
    {
      name: 'those of a row likewise',
      application: { ...EMPTY, records: [{ Name: 'a' }] },
      run: {
        ...{ resource: 'tableRow', operation: 'add', recordId: '1', tablePart: 'Lines' },
        row: by('={{ JSON.stringify($json) }}'),
      },
      ...{ items: [{ Item: 'x' }], output: [{ recordId: '1', outcome: 'created' }] },
    },
  ]);
});
