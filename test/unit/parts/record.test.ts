import fc from 'fast-check';

import { RESERVED_KEYS } from '../../../nodes/ApplicationDataService/parts/model/keys';
import { recordReader } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart } from './support/parts';

const own = makePart('id', { id: '1', name: 'ID', identifier: 'id_id', system: true });
const name = makePart('textbox', { name: 'Name', identifier: 'name_id' });
const price = makePart('number', { name: 'Price', identifier: 'price_id' });
const sum = makePart('expression', { name: 'Sum', identifier: 'sum_id' });
const orders = makePart('rel_list', { name: 'Orders', children: [makePart('textbox', { name: 'Title' })] });
const parts = [own, name, price, sum, orders];

type Options = Parameters<typeof recordReader>[1] & { readonly id?: string };

const [named, identified] = [{ keyMode: 'name' }, { keyMode: 'identifier' }] as const;
const rights = { allow_write: 'off', allow_delete: 'on' };
const revisionPart = makePart('textbox', { name: 'revision' });
const foreign = makePart('id', { name: 'Customer ID', reference: true, system: true });
const twins = (...types: string[]) => types.map((type) => makePart(type, { name: 'Twin' }));

/** Parts whose identifiers are the names of others. */
const code = makePart('textbox', { name: 'Code', identifier: 'ID' });
const no = makePart('id', { name: 'ID', identifier: 'no', system: true });
const sizes = [
  makePart('number', { name: 'Qty', identifier: 'Size' }),
  makePart('textbox', { name: 'Size', identifier: 'Qty' }),
];
const keyed = { ID: '8', no: '7', Qty: '0012', Size: '3' };
const table = (type: string) =>
  makePart(type, { name: 'Lines', identifier: 'lines', children: [no, code, ...sizes] });
const tableOf = (...item: object[]) => ({ val: { child_records: { item } } });

test.each<[string, unknown, object, typeof parts?, Options?]>([
  [
    'is flat',
    {
      ...{
        '\\permissions': { allow_write: 'on', allow_delete: 'off' },
        revision: { val: '3', deny_write: 'on' },
      },
      ...{ Orders: tableOf({ Title: { val: 'A' } }), Price: { val: '1,200' }, Name: { val: 'Acme' } },
      ...{ ID: { val: 12, deny_write: 'on' }, Sum: { val: '5', type: 'number' } },
    },
    {
      ...{ id: '12', Name: 'Acme', Price: 1200, Sum: 5, Orders: [{ id: null, Title: 'A' }] },
      ...{ revision: 3, canWrite: true, canDelete: false },
    },
  ],
  ['by identifier', { id_id: '7', price_id: '5' }, { id: '7', price_id: 5 }],
  ['by identifier, known', { id_id: '7' }, { id: '7' }, parts, identified],
  ['keys of both kinds', { Name: 'x', price_id: '5' }, { Name: 'x', price_id: 5 }],
  ['the ID that the caller knows', {}, { id: '5' }, parts, { id: '5' }],
  ['the ID that the record gives', { ID: 12 }, { id: '12' }, parts, { id: '5' }],
  [
    'the ID of another record is a value',
    { 'Customer ID': '9', ID: '1' },
    { id: '1', 'Customer ID': '9' },
    [foreign, own],
  ],
  ['no ID of its own', { 'Customer ID': '9' }, { 'Customer ID': '9' }, [foreign]],
  ['an ID that lost digits', { ID: 2 ** 60 }, {}],
  ['a part called revision', { revision: 'B' }, { 'revision (part)': 'B' }, [revisionPart]],
  ['the revision beside it', { revision: { val: '3', deny_write: 'on' } }, { revision: 3 }, [revisionPart]],
  [
    'an ID part called revision',
    { revision: { val: '3', deny_write: 'on' }, Other: 'x' },
    { id: '3', revision: 3, Other: 'x' },
    [makePart('id', { name: 'revision' })],
  ],
  ...['permissions', '\\permissions', '\\\\permissions'].map((key): [string, object, object] => [
    `rights under ${key}`,
    { [key]: rights },
    { canWrite: false, canDelete: true },
  ]),
  ['one right', { '\\permissions': { allow_write: 'on' } }, { canWrite: true }],
  [
    'a part called permissions',
    { permissions: 'x', '\\permissions': rights },
    { permissions: 'x', canWrite: false, canDelete: true },
    [makePart('textbox', { name: 'permissions' })],
  ],
  ...['unauthorized', 'reference_error', 'under_maintenance'].map((error): [string, object, object] => [
    `a part in error has no key: ${error}`,
    { Name: { val: '', error }, Price: '1', New: { error } },
    { Price: 1, partErrors: { Name: error, New: error } },
  ]),
  [
    'a number that lost digits is null, in its place',
    { Price: 2 ** 60, Name: 'x', New: 2 ** 60 },
    { Name: 'x', Price: null, partErrors: { Price: 'rounded', New: 'rounded' }, New: null },
  ],
  [
    'a calculation in error',
    { Sum: { val: '', type: 'number', hint: 'divided by zero' } },
    { partErrors: { Sum: 'divided by zero' } },
  ],
  [
    'no error',
    { Sum: { val: 'x', hint: '', error: '' }, Name: { val: 'y', hint: 'h' } },
    { Name: 'y', Sum: 'x' },
  ],
  ['a list that was not loaded', { Orders: '' }, {}, parts, { referenceListsLoaded: false }],
  ['an empty list', { Orders: '' }, { Orders: [] }],
  [
    'one that was not loaded, by identifier',
    { Code: 'x', orders: '' },
    { Code: 'x' },
    [
      makePart('rel_list', { name: 'Code', identifier: 'orders' }),
      makePart('textbox', { name: 'Other', identifier: 'Code' }),
    ],
    { ...identified, referenceListsLoaded: false },
  ],
  [
    'keys that no part has come last',
    { Zeta: 'z', Plain: [1], id: 'n', Name: 'Acme' },
    { Name: 'Acme', Zeta: 'z', Plain: [1], 'id (part)': 'n' },
  ],
  ['two parts of one name and type', { Twin: { val: '1,200' } }, { Twin: 1200 }, twins('number', 'number')],
  [
    'two of one name: nobody knows whose value it is',
    { Twin: { val: '1,200' } },
    { Twin: '1,200' },
    twins('number', 'textbox', 'number'),
  ],
  ['a value without val', { Name: { deny_write: 'on' } }, { Name: null }],
  ...[null, undefined, '', 'text', 5, []].map((value): [string, unknown, object] => [
    `nothing: ${JSON.stringify(value)}`,
    value,
    {},
  ]),
  [
    "a key that is a part's name and another's identifier is the name, if nothing else is known",
    { Qty: { val: '0012' } },
    { Qty: 12 },
    sizes,
    named,
  ],
  ['crossed keys', keyed, { id: '7', ID: '8', Size: 3, Qty: '0012' }, [no, code, ...sizes], identified],
  [
    'an ID part without an identifier',
    { ID: { val: 'A' } },
    { ID: 'A' },
    [{ ...no, identifier: '' }, code],
    identified,
  ],
  ...['input_list', 'rel_list'].map((type): [string, object, object, typeof parts, Options] => [
    `crossed keys in the rows of ${type}`,
    { lines: tableOf(keyed) },
    { lines: [{ id: '7', ID: '8', Qty: '0012', Size: 3 }] },
    [table(type)],
    identified,
  ]),
  ...[...RESERVED_KEYS]
    .filter((key) => key !== 'revision')
    .map((key): [string, object, object, typeof parts] => [
      `a part named ${key}`,
      { [key]: { val: 'x' } },
      { [`${key} (part)`]: 'x' },
      [makePart('textbox', { name: key })],
    ]),
])('%s', (_, raw, expected, of = parts, options = undefined) => {
  const record = recordReader(of, options)(raw, options?.id);
  expect(record).toEqual({ id: null, revision: null, ...expected });
  const first = Object.keys(expected).filter((key) => key !== 'id');
  expect(Object.keys(record).filter((key) => first.includes(key))).toEqual(first);
});

test.each([
  [{ val: '1,200' }, 1200],
  ['3', 3],
  [3, 3],
  [{ val: '' }, null],
  [{}, null],
  ['', null],
])('the revision %j is %j', (revision, number) =>
  expect(recordReader(parts)({ revision })).toEqual({ id: null, revision: number }),
);

test("the service's own parts come after the application's, and unknown keys at the end", () => {
  const created = makePart('datetime', { name: 'Created At', system: true });
  const source = makePart('datetime', { name: 'Ordered At', system: true, reference: true });
  const keys = ['Created At', 'Ordered At', 'Name', 'New', 'revision'].map((key) => [key, { val: '' }]);
  const raw = { ...Object.fromEntries(keys), Sum: { error: 'unauthorized' } } as object;
  expect(Object.keys(recordReader([own, created, name, source, sum])(raw))).toEqual([
    ...['id', 'Name', 'Ordered At', 'Created At', 'partErrors', 'revision', 'New'],
  ]);
});

test('part names that would replace a prototype are plain keys', () => {
  const text =
    '{"__proto__": {"val": "x"}, "constructor": {"val": "y"}, "toString": {"error": "unauthorized"}}';
  for (const list of [[makePart('textbox', { name: '__proto__' })], []]) {
    const record = recordReader(list)(JSON.parse(text));
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(record, '__proto__')?.value).toBe('x');
    expect(Object.getOwnPropertyDescriptor(record, 'constructor')?.value).toBe('y');
    expect(Object.keys(record.partErrors ?? {})).toEqual(['toString']);
  }
});

test("whatever comes, it reads the same each time, and no part as one of the nodes' own keys", () => {
  const read = recordReader(parts, named);
  const key = fc.oneof(
    fc.constantFrom(...RESERVED_KEYS, ...parts.map((part) => part.name), '\\permissions', '__proto__'),
    fc.string(),
  );
  const value = fc.oneof(fc.jsonValue(), fc.record({ val: fc.jsonValue() }));
  fc.assert(
    fc.property(fc.dictionary(key, value), (raw) => {
      const { id, revision, canWrite, canDelete, partErrors, ...rest } = read(raw);
      expect(id === null || typeof id === 'string').toBe(true);
      expect(revision === null || Number.isSafeInteger(revision)).toBe(true);
      for (const right of [canWrite, canDelete]) expect([undefined, true, false]).toContain(right);
      expect(['undefined', 'object']).toContain(typeof partErrors);
      for (const other of Object.keys(rest)) expect(RESERVED_KEYS.has(other)).toBe(false);
      expect(JSON.stringify(read(raw))).toBe(JSON.stringify(recordReader(parts, named)(raw)));
    }),
    { numRuns: 1000 },
  );
});
