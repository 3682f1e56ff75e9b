import { makePart, readVal, refusalOf, TOKYO, writeText } from '../support/parts';

const at = Date.UTC(2026, 1, 28, 20);
const [moment, luxon] = [new Date(at), { toMillis: () => at }];

interface Type {
  readonly reads: readonly (readonly [unknown, unknown])[];
  readonly writes: readonly (readonly [unknown, string])[];
  readonly refuses: readonly unknown[];
  readonly reason: RegExp;
}

const text: Type = {
  reads: [
    [' two\r\nlines\t😀 ', ' two\r\nlines\t😀 '],
    [12, '12'],
    [true, 'true'],
    [{ strange: 1 }, { strange: 1 }],
  ],
  writes: [
    [' two\r\nlines\t😀 ', ' two\r\nlines\t😀 '],
    ['[1]', '[1]'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [false, 'false'],
    [10n, '10'],
    [undefined, ''],
    ['10,000.0', '10,000.0'],
    [moment, '2026-02-28T20:00:00.000Z'],
    [{ ...luxon, toISO: () => '2026-03-01T05:00:00.000+09:00' }, '2026-03-01T05:00:00.000+09:00'],
  ],
  refuses: [['a'], { a: 1 }, NaN, Infinity, new Date(NaN), { toISO: () => null }, () => 'x', Symbol('s')],
  reason: /^it is not a text$/,
};

const TYPES: Readonly<Record<string, Type>> = {
  textbox: text,
  textarea: text,
  richeditor: text,
  number: {
    reads: [
      ['-1,234,567.5', -1234567.5],
      [1200, 1200],
      ['12345678901234567890', '12345678901234567890'],
      ['12,345,678,901,234,567,890.5', '12345678901234567890.5'],
      ['n/a', 'n/a'],
    ],
    writes: [
      [1200, '1200'],
      [5n, '5'],
      [' 12.50 ', '12.5'],
      ['10000.0', '10000'],
      ['-0.0', '0'],
      ['007', '7'],
      ['  ', ''],
    ],
    refuses: ['abc', '1,2', '１２００', '¥1,200', '1.234,50', true, NaN, -Infinity, [1], {}, moment],
    reason: /^it is not a number$/,
  },
  time: {
    reads: [
      [0, '00:00:00'],
      ['34,205', '09:30:05'],
      ['90000', '25:00:00'],
      [3_600_000, '1000:00:00'],
      [-1, -1],
      [1.5, 1.5],
      ['09:30', '09:30'],
    ],
    writes: [
      ['9:30', '34200'],
      ['09:30:05', '34205'],
      ['1000:00:00', '3600000'],
      [' 09:30 ', '34200'],
      [34_205, '34205'],
      ['34205', '34205'],
    ],
    refuses: [
      ...['9:30 pm', '12 p.m.', '９：３０', '09:60', '09:30:60', '9.30', 'noon', '-09:30', '9'.repeat(20)],
      ...[-1, 1.5, 1e21, true, moment, ['09:30']],
    ],
    reason: /^it is not a time$/,
  },
  date: {
    reads: [
      ['2026-03-01', '2026-03-01'],
      [{ year: 2026, month: 3, day: 1 }, '2026-03-01'],
      [{ year: '987', month: '03', day: '01' }, '0987-03-01'],
      [{ year: '', month: '', day: '' }, null],
      [{}, null],
      ['2026/03/01', '2026/03/01'],
      [{ year: 2026 }, { year: 2026 }],
      [
        { year: 'MMXXVI', month: 3, day: 1 },
        { year: 'MMXXVI', month: 3, day: 1 },
      ],
    ],
    writes: [
      ['2026-03-01T23:59', '2026-03-01'],
      ['2026-02-28T20:00:00Z', '2026-03-01'],
      [moment, '2026-03-01'],
      [' ', ''],
    ],
    refuses: [
      ...['1/3/2026', '2026-02-30', 'yesterday', 20260301],
      ...[true, ['2026-03-01'], { year: 2026, month: 3, day: 1 }],
    ],
    reason: /^it (is not a date|names a day )/,
  },
  datetime: {
    reads: [
      ['2026-03-01T09:30', '2026-03-01T09:30'],
      [{ year: 2026, month: 3, day: 1, hour: 9, minute: 5 }, '2026-03-01T09:05'],
      [
        { year: 2026, month: 3, day: 1 },
        { year: 2026, month: 3, day: 1 },
      ],
    ],
    writes: [
      ['2026-03-01T09:30:59', '2026-03-01T09:30'],
      ['2026-03-01', '2026-03-01T00:00'],
      [moment, '2026-03-01T05:00'],
    ],
    refuses: ['1/3/2026 9:00', '2026-03-01T25:00', 'now', 0, {}],
    reason: /^it (is not a date|names a day )/,
  },
};

describe.each(Object.entries(TYPES))('%s', (type, { reads, writes, refuses, reason }) => {
  const part = makePart(type, { id: '101', name: 'Note' });

  test.each<readonly [unknown, unknown]>([...reads, ['', null]])('reads %j as %j', (val, value) =>
    expect(readVal(part, val)).toEqual(value),
  );

  test.each<readonly [unknown, string]>([...writes, ['', ''], [null, '']])(
    'writes %p in Tokyo as %j',
    (value, written) => expect(writeText(part, value)).toBe(written),
  );

  test.each(refuses.map((value) => [value]))('refuses %p, and says what is accepted', (value) => {
    const { message, description } = refusalOf(() => writeText(part, value));
    const [, why = ''] = /^Part "Note" \(ID 101\) does not accept .+?: (it .+)$/.exec(message) ?? [];
    expect(why).toMatch(reason);
    expect(description).toContain(`Accepted: ${part.codec.accepts}.`);
  });
});

test('a long value is shortened', () => {
  const { message } = refusalOf(() => writeText(makePart('number'), 'x'.repeat(10_000)));
  expect(message).toMatch(/^.{30,140}$/);
});

test('a day is that of the zone, on both sides of a clock change', () => {
  const inNewYork = (at: string) =>
    writeText(makePart('date'), at, { ...TOKYO, timezone: 'America/New_York' });
  expect(['2026-03-08T04:59Z', '2026-03-08T05:00Z', '2026-03-09T03:59Z'].map(inNewYork)).toEqual([
    ...['2026-03-07', '2026-03-08', '2026-03-08'],
  ]);
});

test.each([
  ['number', '1,200', 1200],
  ['Number', 12, 12],
  ['date', { year: 2026, month: 3, day: 1 }, '2026-03-01'],
  ['time', 90_000, '25:00:00'],
  ['datetime', '2026-03-01T09:30', '2026-03-01T09:30'],
  ['date_time', { year: 2026, month: 3, day: 1, hour: 9, minute: 30 }, '2026-03-01T09:30'],
  ['time_of_day', 90_000, '25:00:00'],
  ['textbox', '1200', '1200'],
  ['overtime', 90_000, '90000'],
  ['', '1200', '1200'],
  [undefined, 1200, '1200'],
  ['number', '', null],
])('a result of type %j reads %j as %j', (type, val, value) => {
  const part = makePart('expression');
  expect(part.codec.read({ val, type }, part)).toEqual(value);
});

test.each<readonly [string, unknown, unknown]>([
  ['id', 7, '7'],
  ['id', '007', '007'],
  ['id', '', null],
  ...['rel_field', 'type_of_tomorrow'].flatMap((type) =>
    ['1,200', 5, false, '', { a: [1] }].map((val) => [type, val, val] as const),
  ),
])('%s reads %j as %j', (type, val, value) => expect(readVal(makePart(type), val)).toEqual(value));
