import { simplifyRecord } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart } from './support/parts';

const own = makePart('id', { id: '1', name: 'ID', identifier: 'id_id', system: true });
const name = makePart('textbox', { name: 'Name', identifier: 'name_id' });
const price = makePart('number', { name: 'Price', identifier: 'price_id' });
const sum = makePart('expression', { name: 'Sum', identifier: 'sum_id' });
const orders = makePart('rel_list', { name: 'Orders', children: [makePart('textbox', { name: 'Title' })] });
const parts = [own, name, price, sum, orders];

const raw = {
  '\\permissions': { allow_write: 'on', allow_delete: 'off' },
  revision: { val: '3', deny_write: 'on' },
  Orders: { val: { child_records: { item: [{ Title: { val: 'A' } }] } } },
  Price: { val: '1,200' },
  Name: { val: 'Acme' },
  ID: { val: 12, deny_write: 'on' },
  Sum: { val: '5', type: 'number' },
};

it("is flat: the id, the parts in the application's order, then the node's own keys", () => {
  const record = simplifyRecord(raw, parts);
  expect(record).toEqual({
    id: '12',
    revision: 3,
    canWrite: true,
    canDelete: false,
    Name: 'Acme',
    Price: 1200,
    Sum: 5,
    Orders: [{ id: null, Title: 'A' }],
  });
  expect(Object.keys(record)).toEqual([
    'id',
    'Name',
    'Price',
    'Sum',
    'Orders',
    'revision',
    'canWrite',
    'canDelete',
  ]);
});

it('reads parts keyed by identifier, whether detected or known', () => {
  const keyed = {
    revision: { val: 4 },
    id_id: { val: '7' },
    name_id: { val: 'Acme' },
    price_id: { val: '5' },
  };
  const expected = { id: '7', revision: 4, name_id: 'Acme', price_id: 5 };
  expect(simplifyRecord(keyed, parts)).toEqual(expected);
  expect(simplifyRecord(keyed, parts, { keyMode: 'identifier' })).toEqual(expected);
});

it('reads either key if the mode is unknown', () => {
  const mixed = { Name: { val: 'Acme' }, price_id: { val: '5' } };
  expect(simplifyRecord(mixed, parts)).toEqual({ id: null, revision: null, Name: 'Acme', price_id: 5 });
});

describe('id', () => {
  it('is null if a list does not contain it', () => {
    expect(simplifyRecord({ Name: { val: 'Acme' } }, parts)).toEqual({
      id: null,
      revision: null,
      Name: 'Acme',
    });
  });

  it('is what the caller knows, if the record does not say', () => {
    expect(simplifyRecord({}, parts, { id: '5' })).toMatchObject({ id: '5' });
    expect(simplifyRecord(raw, parts, { id: '5' })).toMatchObject({ id: '12' });
  });

  it('is never that of a referenced record', () => {
    const foreign = makePart('id', { name: 'Customer ID', reference: true, system: true });
    const record = simplifyRecord({ 'Customer ID': { val: '99' }, ID: { val: '1' } }, [foreign, own]);
    expect(record).toEqual({ id: '1', revision: null, 'Customer ID': '99' });
    expect(simplifyRecord({ 'Customer ID': { val: '99' } }, [foreign])).toMatchObject({
      id: null,
      'Customer ID': '99',
    });
  });
});

describe('revision', () => {
  it.each([
    [{ val: '3' }, 3],
    [{ val: 3 }, 3],
    [{ val: '1,200' }, 1200],
    ['3', 3],
    [3, 3],
    [{ val: '' }, null],
    [{}, null],
    ['', null],
    [undefined, null],
  ])('%j is %j', (revision, number) =>
    expect(simplifyRecord({ revision }, parts)).toEqual({ id: null, revision: number }),
  );

  it('is distinguished from a part of that name', () => {
    const part = makePart('textbox', { name: 'revision' });
    expect(simplifyRecord({ revision: { val: '3', deny_write: 'on' } }, [part])).toEqual({
      id: null,
      revision: 3,
    });
    expect(simplifyRecord({ revision: { val: 'B' } }, [part])).toEqual({
      id: null,
      revision: null,
      'revision (part)': 'B',
    });
  });
});

describe('rights', () => {
  const rights = { allow_write: 'off', allow_delete: 'on' };

  it.each(['permissions', '\\permissions', '\\\\permissions'])('under %s', (key) => {
    expect(simplifyRecord({ [key]: rights }, parts)).toEqual({
      id: null,
      revision: null,
      canWrite: false,
      canDelete: true,
    });
  });

  it('only those that were sent', () => {
    expect(simplifyRecord({ '\\permissions': { allow_write: 'on' } }, parts)).toEqual({
      id: null,
      revision: null,
      canWrite: true,
    });
    expect(simplifyRecord({}, parts)).not.toHaveProperty('canWrite');
  });

  it('a part called permissions is a part', () => {
    const part = makePart('textbox', { name: 'permissions' });
    const record = simplifyRecord({ permissions: { val: 'x' }, '\\permissions': rights }, [part]);
    expect(record).toEqual({ id: null, revision: null, canWrite: false, canDelete: true, permissions: 'x' });
  });
});

describe('errors', () => {
  it.each(['unauthorized', 'reference_error', 'under_maintenance'])('%s leaves no key', (error) => {
    const record = simplifyRecord({ Name: { val: '', error }, Price: { val: '1' } }, parts);
    expect(record).toEqual({ id: null, revision: null, Price: 1, partErrors: { Name: error } });
  });

  it('a number that lost digits on the way is null, in its place', () => {
    const record = simplifyRecord(
      { Price: { val: 2 ** 60 }, Name: { val: 'x' }, New: { val: 2 ** 60 } },
      parts,
    );
    expect(record).toMatchObject({
      Price: null,
      New: null,
      partErrors: { Price: 'rounded', New: 'rounded' },
    });
    const keys = Object.keys(record);
    expect(keys.indexOf('Price')).toBeLessThan(keys.indexOf('partErrors'));
  });

  it('a calculation with an error returns its hint', () => {
    const record = simplifyRecord({ Sum: { val: '', type: 'number', hint: 'divided by zero' } }, parts);
    expect(record).toEqual({ id: null, revision: null, partErrors: { Sum: 'divided by zero' } });
  });

  it('an empty error or hint counts as none', () => {
    expect(simplifyRecord({ Sum: { val: 'x', hint: '', error: '' } }, parts)).toMatchObject({ Sum: 'x' });
    expect(simplifyRecord({ Name: { val: 'x', hint: 'h' } }, parts)).toMatchObject({ Name: 'x' });
  });

  it('of an unknown part', () => {
    expect(simplifyRecord({ New: { error: 'unauthorized' } }, parts)).toMatchObject({
      partErrors: { New: 'unauthorized' },
    });
  });
});

it('leaves out reference lists that were not loaded', () => {
  expect(
    simplifyRecord({ ...raw, Orders: { val: '' } }, parts, { referenceListsLoaded: false }),
  ).not.toHaveProperty('Orders');
  expect(simplifyRecord({ Orders: { val: '' } }, parts)).toMatchObject({ Orders: [] });
});

it('returns keys that no part has at the end, unchanged', () => {
  const record = simplifyRecord(
    { Zeta: { val: 'z' }, Plain: [1], id: { val: 'n' }, Name: { val: 'Acme' } },
    parts,
  );
  expect(record).toEqual({ id: null, revision: null, Name: 'Acme', Zeta: 'z', Plain: [1], 'id (part)': 'n' });
  expect(Object.keys(record).slice(-3)).toEqual(['Zeta', 'Plain', 'id (part)']);
});

it('parts under one key are read only if it does not matter whose value it is', () => {
  const twin = (type: string) => makePart(type, { name: 'Twin' });
  const read = (...types: string[]) => simplifyRecord({ Twin: { val: '1,200' } }, types.map(twin)).Twin;
  expect(read('number', 'number')).toBe(1200);
  expect(read('number', 'textbox')).toBe('1,200');
  expect(read('number', 'textbox', 'number')).toBe('1,200');
});

it('a value without its object is read as the value', () => {
  expect(simplifyRecord({ Name: 'Acme', Price: 5, Sum: null }, parts)).toMatchObject({
    Name: 'Acme',
    Price: 5,
    Sum: null,
  });
  expect(simplifyRecord({ Name: { deny_write: 'on' } }, parts)).toMatchObject({ Name: null });
});

it.each([null, undefined, '', 'text', 5, []])('%j is an empty record', (value) => {
  expect(simplifyRecord(value, parts)).toEqual({ id: null, revision: null });
});
