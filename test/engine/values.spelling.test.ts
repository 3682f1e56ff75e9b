import { partsOf } from '../support/parts';
import { some } from './support/like';
import { LINES } from './support/rows';
import { mapped } from './support/saved';
import { each, testTable, type Row, type Rows } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

/** What is written is what was meant. How values of each type are read: test/unit/parts/types. */
const place = useWorkplace(null);

const PARTS = [
  ...partsOf({ Name: 'textbox', Price: 'number', Owner: 'users' }),
  { name: 'Tags', type: 'checkbox', options: ['red', 'blue'] },
  LINES,
] as const;
const EMPTY = { parts: PARTS, records: [] };
const meant = (base: RunSettings, rows: Rows, common: Row = {}): void =>
  testTable(place, base, rows, { application: EMPTY, ...common });

describe('numbers that lost digits in the answer of the service', () => {
  const records = [{ Name: 'old', Price: '12345678901234567000' }];
  const Price = '12345678901234567891';
  meant(
    { operation: 'update', recordId: '1' },
    {
      'are never unchanged': {
        run: { values: { Price }, options: { skipUnchanged: true } },
        ...{ output: [{ id: '1', outcome: 'updated' }], stored: [{ Price }] },
      },
      ...each(['upsert', 'sync'])('are no key of %s: no other record is overwritten', (operation) => ({
        run: { operation, matchBy: ['Price'], values: { Name: 'new', Price } },
        ...{ error: /Price/, stored: records },
      })),
    },
    { application: { ...EMPTY, records }, dialect: { numbers: 'number' } },
  );
});

const LONG = '123456789012345678';
const ROUNDED = 'it has more digits than a number in n8n can hold, so the last ones may be wrong';

describe('long numbers', () => {
  meant(
    { operation: 'create' },
    {
      'in JSON text of rows keep their digits': {
        run: { values: { Lines: `[{"Item":${LONG},"Qty":${LONG}},{"Item":"${LONG} \\"1\\""}]` } },
        stored: [
          {
            Lines: [{ Item: LONG, Qty: LONG }, { Item: `${LONG} "1"` }].map(some),
          },
        ],
      },
      'that were rounded are refused': {
        run: { operation: 'sync', values: { Price: '={{ $json.n }}' }, matchBy: ['Price'] },
        ...{ items: [{ n: Number(LONG) }], sent: { insert_data: 0 } },
        error: new RegExp(`^Part "Price" \\(ID \\d+\\) does not accept 123456789012345680: ${ROUNDED}$`),
      },
    },
  );
});

const HALF = 'a\ud83d';

meant(
  { operation: 'count' },
  {
    ...each([
      ['a part', { operation: 'create', values: { Name: '={{ $json.v }}' } }, /it holds half a character/],
      ['a keyword', { options: { keyword: '={{ $json.v }}' } }, /"Keyword" must be a text/],
      ['a filter', { filters: { condition: [{ part: 'Name', value: HALF }] } }, /it holds half a character/],
    ] satisfies [string, RunSettings, RegExp][])('half a character is refused in %s', ([, run, error]) => ({
      ...{ run, items: [{ v: HALF }], error, sent: { insert_data: 0 } },
    })),
    'a list of what is not there empties no part, and a hint counts it': {
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
      stored: [{ Name: 'b', Tags: ['red'], Owner: ['1001'], Lines: [some({ Item: 'i', Tags: ['new'] })] }],
      hints: ['Fields not sent because their expressions returned nothing: 2'],
    },
  },
);

meant(
  { operation: 'create' },
  {
    'a date object in a text is its ISO form': {
      run: { values: { Name: '={{ new Date("2026-03-01T00:00:00Z") }}' } },
      stored: [{ Name: '2026-03-01T00:00:00.000Z' }],
    },
  },
);

describe('what a spreadsheet makes of values', () => {
  const types = ['number', 'date', 'time', 'datetime', 'select', 'textbox'];
  const parts = types.map((type) => ({ name: type, type, ...(type === 'select' && { options: ['Won'] }) }));
  const held = {
    number: '10000',
    date: '2026-03-01',
    time: 34_200,
    datetime: '2026-03-01T09:05',
    select: 'Won',
  };
  const from = Object.fromEntries(types.map((type) => [type, `={{ $json.${type} }}`]));
  const spelled = [
    { number: '10,000.00', date: '2026/3/1', time: '9:30', datetime: '2026/3/1 9:05', select: 'Won ' },
    {
      number: '10000.0',
      date: '2026年3月1日',
      time: '09:30:00',
      datetime: '2026.03.01 09:05:30',
      select: ' Won',
    },
  ].map((values) => ({ ...values, textbox: '10,000.0' }));
  meant(
    { values: from, matchBy: ['textbox'] },
    {
      ...each(spelled)('is what they were: %s', (values) => ({
        ...{ run: { operation: 'create' }, items: [values], stored: [{ ...held, textbox: '10,000.0' }] },
        sent: { insert_data: [{ '{{number}}': '10000', '{{textbox}}': '10,000.0' }] },
      })),
      ...each(['upsert', 'sync'].flatMap((operation) => spelled.map((values) => ({ operation, values }))))(
        'differs in nothing from what is there: %s',
        ({ operation, values }) => ({
          application: { parts, records: [{ ...held, textbox: '10,000.0' }] },
          ...{ run: { operation }, items: [values], output: [{ id: '1', outcome: 'unchanged' }] },
        }),
      ),
    },
    { application: { parts, records: [] } },
  );
});

const MOVED =
  /^A date for part "Due" \(ID \d+\) became another day .* time zone, America\/New_York\. If .* the credential$/;
const NEW_YORK = { engine: { timezone: 'America/New_York' } };
const MIDNIGHT = '={{ new Date("2026-03-01T00:00:00Z") }}';

describe('a date that becomes another day by the zone of the workflow', () => {
  const due = { name: 'Due', type: 'date' } as const;
  const application = { parts: [...PARTS, due], records: [{ Name: 'a', Due: '2026-01-01' }] };
  meant(
    { operation: 'update', recordId: '1', values: { Due: MIDNIGHT } },
    {
      'is told, also of the only item': { stored: [{ Due: '2026-02-28' }], hints: [MOVED] },
      'is told once': { items: [{}, {}], run: { operation: 'create' }, hints: [MOVED] },
      'is told of a row': {
        run: { values: { Lines: '={{ [{ Item: "i", Due: "2026-03-01T00:00:00Z" }] }}' } },
        hints: [MOVED],
      },
      'is told of Sync and its scope': {
        run: {
          ...{ operation: 'sync', matchBy: ['Name'], values: { Name: 'b' }, missing: 'delete' },
          filters: { condition: [{ part: 'Due', operator: 'gt', value: '2026-03-01T00:00:00Z' }] },
        },
        hints: [MOVED, /^1 created/],
      },
      ...each(['equals', 'gte', 'lt', 'custom'])('is told of a condition: %s', (operator) => ({
        run: {
          operation: 'getAll',
          filters: {
            condition: [{ part: 'Due', operator, customOperator: '<', value: '2026-03-01T00:00:00Z' }],
          },
        },
        hints: [MOVED],
      })),
      'is not told if the credential names the zone': {
        ...{ credential: { timeZone: 'America/New_York' }, hints: [] },
      },
    },
    { ...NEW_YORK, application },
  );
});

describe('all values by one expression', () => {
  meant(
    { operation: 'create' },
    {
      'JSON text is read as the object that it holds': {
        ...{ run: { parts: mapped('={{ JSON.stringify($json) }}') }, items: [{ Name: 'x', Price: 3 }] },
        stored: [{ Name: 'x', Price: '3' }],
      },
      'an object is one': {
        ...{ run: { parts: mapped('={{ $json }}') }, items: [{ Name: 'x' }], stored: [{ Name: 'x' }] },
      },
      ...each(['text', ['x']])('%s is refused whole, not letter by letter', (v) => ({
        ...{ run: { parts: mapped('={{ $json.v }}') }, items: [{ v }], sent: { insert_data: 0 } },
        error: /^The values to send are not an object, but /,
      })),
      'those of a row likewise': {
        application: { ...EMPTY, records: [{ Name: 'a' }] },
        run: {
          ...{ resource: 'tableRow', operation: 'add', recordId: '1', tablePart: 'Lines' },
          row: mapped('={{ JSON.stringify($json) }}'),
        },
        ...{ items: [{ Item: 'x' }], output: [{ recordId: '1', outcome: 'created' }] },
      },
    },
  );
});
