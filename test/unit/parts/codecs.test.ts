import fc from 'fast-check';

import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { codecOf, codecs } from '../../../nodes/ApplicationDataService/parts/codecs';
import { isWritable, writeAlone } from '../../../nodes/ApplicationDataService/parts/model/obstacle';
import type { Part } from '../../../nodes/ApplicationDataService/parts/model/part';
import { makePart, refusalOf, TOKYO } from './support/parts';

const TYPES = [
  ...['textbox', 'textarea', 'checkbox', 'radio', 'select', 'listbox', 'number', 'date', 'time', 'datetime'],
  ...['files', 'expression', 'richeditor', 'users', 'groups', 'input_list', 'rel_list', 'id', 'user'],
];
const READ_ONLY_TYPES = ['expression', 'rel_list', 'id', 'user', 'rel_field', 'type_of_tomorrow'];

const writer = (part: Part) => writeAlone(part, null, TOKYO);

it('knows every type of interface.md; rel_field is read unchanged', () => {
  expect([...codecs.keys()].sort()).toEqual([...TYPES, 'rel_field'].sort());
});

describe('what the service can do with a type (service-facts, "Keyword and sort")', () => {
  const having = (flag: 'searchable' | 'sortable' | 'filterable') =>
    TYPES.filter((type) => codecOf(type)[flag]);

  it('keyword', () => {
    const without = ['number', 'date', 'time', 'datetime', 'id', 'input_list', 'rel_list'];
    expect(having('searchable')).toEqual(TYPES.filter((type) => !without.includes(type)));
  });

  it('sort', () => {
    const without = ['textarea', 'richeditor', 'checkbox', 'listbox', 'files', 'input_list', 'rel_list'];
    expect(having('sortable')).toEqual(TYPES.filter((type) => !without.includes(type)));
  });

  it('filter', () => {
    expect(having('filterable')).toEqual(TYPES.filter((type) => type !== 'rel_list'));
  });
});

describe('what may be written', () => {
  it.each(TYPES.filter((type) => !READ_ONLY_TYPES.includes(type)))('%s', (type) => {
    expect(isWritable(makePart(type))).toBe(true);
    expect(() => writer(makePart(type))).not.toThrow();
    for (const flag of ['readOnly', 'system', 'reference'] as const) {
      expect(isWritable(makePart(type, { [flag]: true }))).toBe(false);
    }
  });

  it.each(READ_ONLY_TYPES)('not %s', (type) => {
    const part = makePart(type, { id: '7', name: 'Made' });
    expect(isWritable(part)).toBe(false);
    expect(refusalOf(() => writer(part)).message).toMatch(/^Part "Made" \(ID 7\) cannot be written: /);
  });

  it.each([
    [{ readOnly: true }, 'it is read-only'],
    [{ system: true, readOnly: true }, 'it is a system part, which the service fills in'],
    [{ reference: true, system: true }, 'it is a reference part, whose value comes from another record'],
  ])('the refusal says why: %j', (flags, reason) => {
    const part = makePart('textbox', { id: '7', name: 'Made', ...flags });
    const refusal = refusalOf(() => writer(part));
    expect(refusal).toBeInstanceOf(UserError);
    expect(refusal.message).toBe(`Part "Made" (ID 7) cannot be written: ${reason}`);
    expect(refusal.description).not.toBe('');
  });
});

describe('whatever the service or an item contains', () => {
  const OPTIONS = ['red', 'green'];
  const child = {
    children: [makePart('textbox', { name: 'a' }), makePart('number', { name: 'b' }), makePart('id')],
  };
  const part = fc
    .tuple(fc.constantFrom(...TYPES, 'rel_field', 'type_of_tomorrow'), fc.boolean(), fc.boolean())
    .map(([type, allowOther, options]) =>
      makePart(type, { allowOther, options: options ? OPTIONS : [], ...child }),
    );
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const nearlyRight = fc.oneof(
    anything,
    fc.json(),
    fc.dictionary(fc.constantFrom('id', 'a', 'b', 'add', 'remove', 'partErrors', '__proto__'), anything),
    fc.array(fc.dictionary(fc.constantFrom('id', 'name', 'url', 'a', 'b'), anything)),
  );

  it('a write returns a value, or throws a refusal that names the part', () => {
    fc.assert(
      fc.property(part, nearlyRight, (to, value) => {
        try {
          const written = to.codec.write?.(value, to, TOKYO);
          expect(written === undefined || ['text', 'files', 'rows', 'keep'].includes(written.kind)).toBe(
            true,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
          expect((error as UserError).message).toContain(to.name);
          expect((error as UserError).message.length).toBeLessThan(2000);
        }
      }),
      { numRuns: 3000 },
    );
  });

  const wireShape = fc.oneof(
    fc.jsonValue(),
    fc.record({ attach: fc.record({ item: fc.jsonValue() }) }),
    fc.record({ users: fc.record({ item: fc.array(fc.jsonValue()) }) }),
    fc.record({ child_records: fc.record({ item: fc.array(fc.dictionary(fc.string(), fc.jsonValue())) }) }),
    fc.record({ year: fc.jsonValue(), month: fc.jsonValue(), day: fc.jsonValue() }),
  );

  it('a read returns a value', () => {
    const types = fc.constantFrom('number', 'date', 'datetime', 'time', 'text', '');
    fc.assert(
      fc.property(part, wireShape, types, (from, val, type) => {
        const value = from.codec.read({ val, type }, from);
        expect(value).not.toBeUndefined();
        expect(JSON.parse(JSON.stringify(value))).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });

  it.each([...TYPES, 'rel_field'])('%s: a missing value reads as empty', (type) => {
    const several = ['checkbox', 'listbox', 'files', 'users', 'groups', 'user', 'input_list', 'rel_list'];
    const empty = several.includes(type) ? [] : null;
    const from = makePart(type);
    for (const val of [undefined, null]) expect(from.codec.read({ val }, from)).toEqual(empty);
    expect(from.codec.read({}, from)).toEqual(empty);
  });

  it.each(TYPES)('%s: an empty text reads as empty', (type) => {
    const from = makePart(type);
    expect([null, []]).toContainEqual(from.codec.read({ val: '' }, from));
  });
});
