import fc from 'fast-check';

import { recordReader, simplifyRecord } from '../../../nodes/ApplicationDataService/parts/record';
import { RESERVED_KEYS } from '../../../nodes/ApplicationDataService/parts/model/keys';
import { makePart } from './support/parts';

it.each([...RESERVED_KEYS].filter((key) => key !== 'revision'))(
  'a part named %s is marked as a part',
  (key) => {
    const part = makePart('textbox', { name: key });
    expect(simplifyRecord({ [key]: { val: 'x' } }, [part])).toEqual({
      id: null,
      revision: null,
      [`${key} (part)`]: 'x',
    });
  },
);

it("a key that is one part's name and another's identifier is the name, if the mode is unknown", () => {
  const crossed = [
    makePart('number', { name: 'a', identifier: 'b' }),
    makePart('textbox', { name: 'b', identifier: 'c' }),
  ];
  expect(simplifyRecord({ b: { val: '1,200' } }, crossed)).toEqual({ id: null, revision: null, b: '1,200' });
});

it('keeps part names that would replace a prototype as plain keys', () => {
  const part = makePart('textbox', { name: '__proto__' });
  const text =
    '{"__proto__": {"val": "x"}, "constructor": {"val": "y"}, "toString": {"error": "unauthorized"}}';
  for (const list of [[part], []]) {
    const record = simplifyRecord(JSON.parse(text), list);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(record, '__proto__')?.value).toBe('x');
    expect(Object.getOwnPropertyDescriptor(record, 'constructor')?.value).toBe('y');
    expect(Object.keys(record.partErrors ?? {})).toEqual(['toString']);
  }
  expect(({} as Record<string, unknown>).val).toBeUndefined();
});

it("never throws, and never reads a part as one of the node's own keys", () => {
  const parts = [
    makePart('id', { id: '1', name: 'ID', identifier: 'id_id', system: true }),
    makePart('textbox', { name: 'Name', identifier: 'name_id' }),
    makePart('number', { name: 'Price', identifier: 'price_id' }),
    makePart('expression', { name: 'Sum', identifier: 'sum_id' }),
    makePart('rel_list', { name: 'Orders', children: [makePart('textbox', { name: 'Title' })] }),
  ];
  const read = recordReader(parts);
  const key = fc.oneof(
    fc.constantFrom(...RESERVED_KEYS, ...parts.map((part) => part.name), '\\permissions'),
    fc.string(),
  );
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.record({ val: fc.jsonValue() }))),
      (record) => {
        const { id, revision, canWrite, canDelete, partErrors, ...rest } = read(record);
        expect(id === null || typeof id === 'string').toBe(true);
        expect(revision === null || Number.isSafeInteger(revision)).toBe(true);
        for (const right of [canWrite, canDelete]) expect([undefined, true, false]).toContain(right);
        expect(['undefined', 'object']).toContain(typeof partErrors);
        for (const other of Object.keys(rest)) expect(RESERVED_KEYS.has(other)).toBe(false);
      },
    ),
    { numRuns: 1000 },
  );
});

it('loses no key if one stands for two parts', () => {
  const id = makePart('id', { name: 'revision' });
  const record = simplifyRecord({ revision: { val: '3', deny_write: 'on' }, Other: { val: 'x' } }, [id]);
  expect(record).toEqual({ id: '3', revision: 3, Other: 'x' });
});
