import fc from 'fast-check';

import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { codecOf, codecs, namesInstead } from '../../../nodes/ApplicationDataService/parts/codecs';
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

test.each([
  ['searchable', ['number', 'date', 'time', 'datetime', 'id', 'input_list', 'rel_list']],
  ['sortable', ['textarea', 'richeditor', 'checkbox', 'listbox', 'files', 'input_list', 'rel_list']],
  ['filterable', ['rel_list']],
] as const)('%s are all types but %j (service-facts, "Keyword")', (flag, without: readonly string[]) =>
  expect(TYPES.filter((type) => codecOf(type)[flag] !== true)).toEqual(
    TYPES.filter((type) => without.includes(type)),
  ),
);

describe('what may be written', () => {
  it.each(TYPES.filter((type) => !READ_ONLY_TYPES.includes(type)))('%s', (type) => {
    expect(isWritable(makePart(type))).toBe(true);
    expect(() => writer(makePart(type))).not.toThrow();
    for (const flag of ['readOnly', 'system', 'reference'] as const)
      expect(isWritable(makePart(type, { [flag]: true }))).toBe(false);
  });

  it.each<[Partial<Part>, string]>([
    ...READ_ONLY_TYPES.map((type): [Partial<Part>, string] => [
      { type, codec: codecOf(type) },
      `parts of type ${codecOf(type).label ?? `"${type}"`} take nothing: `,
    ]),
    [{ readOnly: true }, 'it is read-only'],
    [{ system: true, readOnly: true }, 'it is a system part, which the service fills in'],
    [{ reference: true, system: true }, 'it is a reference part, whose value comes from another record'],
  ])('not %j', (more, reason) => {
    const part = makePart('textbox', { id: '7', name: 'Made', ...more });
    expect(isWritable(part)).toBe(false);
    expect(refusalOf(() => writer(part)).message).toContain(
      `Part "Made" (ID 7) cannot be written: ${reason}`,
    );
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
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
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
          expect([undefined, 'text', 'files', 'rows', 'keep']).toContain(written?.kind);
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
    if (type !== 'rel_field') expect(from.codec.read({ val: '' }, from)).toEqual(empty);
    expect(from.codec.read({}, from)).toEqual(empty);
  });
});

it.each<[string, string, unknown, unknown]>([
  [
    'people',
    'users',
    [
      { id: '1', name: 'Ann' },
      { id: '2', name: 'Bob' },
    ],
    'Ann, Bob',
  ],
  ['files', 'files', [{ id: '7', name: 'a.pdf' }], 'a.pdf'],
  [
    'records of a reference list',
    'rel_list',
    [
      {
        id: null,
        name: 'Bolt',
        Owners: [{ id: '1', name: 'Ann' }],
        Marks: ['red', 'blue'],
        Price: 3,
        Note: null,
      },
      { id: '5', name: 'Nut', partErrors: { Price: 'unauthorized' } },
      { id: '6' },
    ],
    'Bolt, Ann, red, blue, 3\nNut\n6',
  ],
  ['no records', 'rel_list', [], ''],
  ['rows', 'input_list', [{ id: '1', Item: 'a' }], [{ id: '1', Item: 'a' }]],
  ['choices', 'checkbox', ['red'], ['red']],
])('names instead of objects: %s', (_, type, value, shown) => {
  expect(namesInstead(makePart(type), value)).toEqual(shown);
});
