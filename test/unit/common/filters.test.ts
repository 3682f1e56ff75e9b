import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { readConditions } from '../../../nodes/ApplicationDataService/common/conditions';
import {
  checkedFiltersProperty,
  filtersProperty,
} from '../../../nodes/ApplicationDataService/common/filters';
import { combinedFilter, readFilterJson } from '../../../nodes/ApplicationDataService/common/query';
import { makePart } from '../parts/support/parts';

const parts = [
  makePart('textbox', { id: '101', name: 'Title', identifier: 'title' }),
  makePart('number', { id: '102', name: 'Hours' }),
  makePart('date', { id: '103', name: 'Due' }),
  makePart('time', { id: '104', name: 'From' }),
  makePart('datetime', { id: '105', name: 'Meeting' }),
  makePart('users', { id: '106', name: 'Owner' }),
  makePart('expression', { id: '107', name: 'Sum' }),
  makePart('rel_list', { id: '108', name: 'Related' }),
  makePart('rel_field', { id: '109', name: 'Broken' }),
  makePart('checkbox', { id: '110', name: 'Marks', options: ['a', 'b'] }),
  makePart('input_list', { id: '111', name: 'Lines' }),
];
const context = { parts, keyMode: 'name', timezone: 'Asia/Tokyo' } as const;

function filterText(saved: unknown, json: unknown): string | undefined {
  const asked = readConditions(saved, context).map(({ filter: each }) => each);
  return combinedFilter(
    asked.filter((each) => each !== undefined),
    readFilterJson(json),
  );
}

function filter(conditions: unknown, json?: unknown): unknown {
  const text = filterText({ condition: conditions }, json);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The value that one condition sends. */
function sent(condition: Record<string, unknown>): unknown {
  return (filter([condition]) as { item: { value?: unknown }[] }).item[0]?.value;
}

function descriptionOf(asking: () => unknown): string | undefined {
  try {
    asking();
  } catch (error) {
    return (error as UserError).description;
  }
  return undefined;
}

describe('readConditions', () => {
  it('writes the known operators, and others unchanged', () => {
    expect(
      filter([
        { part: '101', operator: 'equals', value: 'Acme', valueType: 'value' },
        { part: 'Hours', operator: 'gte', value: '7' },
        { part: 'title', operator: 'contains', value: 'x' },
        { part: '103', operator: 'isNull', value: 'left over', valueType: 'id' },
        { part: '102', operator: 'custom', customOperator: ' <= ', value: '7' },
        { part: '106', operator: 'contains', value: ['1', '2'], valueType: 'id' },
      ]),
    ).toEqual({
      item: [
        { field_id: '101', operator: '=', value: 'Acme' },
        { field_id: '102', operator: '>=', value: '7' },
        { field_id: '101', operator: 'contains', value: 'x' },
        { field_id: '103', operator: 'is_null' },
        { field_id: '102', operator: '<=', value: '7' },
        { field_id: '106', operator: 'contains', value: '1\t2', type: 'id' },
      ],
    });
  });

  it('asks which records contain a value where a part holds several, and looks at them if it can', () => {
    const read = (operator: string, more: object = {}, keyMode: 'name' | 'identifier' = 'name'): unknown => {
      const condition = { part: 'Marks', operator, value: 'a', ...more };
      const [asked] = readConditions([condition], { ...context, keyMode });
      return [asked?.filter?.operator, asked?.check?.operator];
    };
    expect(read('equals')).toEqual(['contains', 'equals']);
    expect(read('contains')).toEqual(['contains', 'contains']);
    expect(read('equals', { valueType: 'id' })).toEqual(['contains', undefined]);
    expect(read('equals', { part: 'Owner', value: '7', valueType: 'id' })).toEqual(['contains', 'equals']);
    expect(read('equals', { part: 'Title' })).toEqual(['=', undefined]);
    expect(read('contains', {}, 'identifier')).toEqual(['contains', undefined]);
    expect(() => read('equals', {}, 'identifier')).toThrow('it has no part identifier');
  });

  it('reads a missing operator as equals', () => {
    expect(filter([{ part: '101', value: 'x' }])).toEqual({
      item: [{ field_id: '101', operator: '=', value: 'x' }],
    });
    expect(filter([{ part: 'Hours', operator: '>=', value: '7' }])).toMatchObject({
      item: [{ operator: '>=' }],
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ part: 'Title', value: 'two words ' }, 'two words '],
    [{ part: 'Title', value: 'a\r\nb\tc\n\n' }, 'a\tb\tc'],
    [{ part: 'Title', value: ['a\nb', '', null, 'c'] }, 'a\nb\tc'],
    [{ part: 'Title', value: '["a", 2]' }, 'a\t2'],
    [{ part: 'Title', value: '[draft' }, '[draft'],
    [{ part: 'Title', value: true }, 'true'],
    [{ part: 'Title', value: '[123456789012345678]' }, '123456789012345678'],
    [{ part: 'Hours', value: '1,200.50' }, '1200.50'],
    [{ part: 'Hours', value: 0 }, '0'],
    [{ part: 'Hours', operator: 'contains', value: '12x' }, '12x'],
    [{ part: 'Hours', operator: 'custom', customOperator: 'like', value: '1%' }, '1%'],
    [{ part: 'Due', value: '2026-03-01T23:00:00Z' }, '2026-03-02'],
    [{ part: 'Due', value: new Date('2026-03-01T23:00:00Z') }, '2026-03-02'],
    [{ part: 'Due', operator: 'contains', value: '2026-' }, '2026-'],
    [{ part: 'From', value: '9:30' }, '34200'],
    [{ part: 'Meeting', value: '2026-03-01T00:00:00+09:00' }, '2026-03-01T00:00'],
    [{ part: 'Sum', value: new Date('2026-03-01T23:00:00Z') }, '2026-03-02T08:00'],
    [{ part: 'Sum', value: '1,200' }, '1200'],
    [{ part: 'Sum', operator: 'gte', value: '1,200' }, '1200'],
    [{ part: 'Sum', operator: 'gte', value: '2026-03-01T23:00:00Z' }, '2026-03-02T08:00'],
    [{ part: 'Sum', operator: 'gte', value: '2026-03-01' }, '2026-03-01'],
    [{ part: 'Sum', operator: 'contains', value: '1,2' }, '1,2'],
    [{ part: 'Hours', operator: 'contains', value: '1,200' }, '1200'],
    [{ part: 'Owner', value: { id: '7', name: 'Aiko' } }, 'Aiko'],
    [{ part: 'Owner', value: [{ id: 7, name: 'Aiko' }, '8'], valueType: 'id' }, '7\t8'],
    [{ part: 'Marks', value: 'a\nb' }, 'a\tb'],
    [{ part: 'Marks', operator: 'contains', value: 'a, b' }, 'a\tb'],
    [{ part: 'Marks', operator: 'custom', customOperator: '=', value: 'gone\nb' }, 'gone\tb'],
  ])('sends the value of %j as %j', (condition, value) => {
    expect(sent(condition)).toBe(value);
  });

  it.each<[unknown, RegExp, RegExp]>([
    [[{ part: 'Title', value: '' }], /^Filter 1: There is no value to compare part "Title"/, /"Is Empty"/],
    [[{ part: 'Title', value: [] }], /no value/, /expression/],
    [[{ part: 'Title' }], /no value/, /expression/],
    [[{ part: 'Title', value: 'x' }, { value: 'x' }], /^Filter 2: No part is selected/, /Select/],
    [[{ part: 'Titel', value: 'x' }], /There is no part "Titel"/, /Did you mean "Title"/],
    [[{ part: 'Related', value: 'x' }], /reference lists cannot be filtered on/, /another part/],
    [[{ part: 'Broken', value: 'x' }], /has the type "rel_field"/, /JSON/],
    ...['gt', 'gte', 'lt', 'lte'].map((operator): [unknown, RegExp, RegExp] => [
      [{ part: 'Title', operator, value: 'x' }],
      /"Title" .* cannot be compared with "Is .* Than.*": it holds no numbers, dates or times/,
      /^Select one of these operators: Equals, Does Not Equal, .*, Ends With, Is Empty, Is Not Empty\. Or select another part\.$/,
    ]),
    ...['equals', 'contains', 'gte', 'oneOf', 'endsWith'].map((operator): [unknown, RegExp, RegExp] => [
      [{ part: 'Lines', operator, value: 'x' }],
      /"Lines" .* cannot be compared with ".*": it is a table part/,
      /^Select one of these operators: Is Empty, Is Not Empty\. Or select another part\.$/,
    ]),
    [[{ part: 'Hours', value: 'many' }], /it is not a number/, /1200 or 12.5/],
    [[{ part: 'Due', operator: 'gte', value: '1.3.2026' }], /is not a date/, /yyyy-MM-dd/],
    [[{ part: 'Title', value: ['a\tb'] }], /contains a tab/, /without tabs/],
    [[{ part: 'Title', value: [['a']] }], /./, /./],
    [[{ part: 'Title', value: { x: 1 } }], /./, /./],
    [[{ part: 'Owner', value: { id: '7' } }], /not a value to compare with/, /./],
    [
      [{ part: 'Title', operator: 'like', value: 'x' }],
      /no operator "like"/,
      /equals, notEquals, oneOf, contains/,
    ],
    [
      [{ part: 'Marks', value: ['b', 'A'] }],
      /"Marks" .* does not accept "A": it is not one of the options/,
      /^Did you mean "a"\? Allowed values: a, b\. To find values that are no longer options, use the custom/,
    ],
    [
      [{ part: 'Marks', value: ['B', 'A'] }],
      /"Marks" .* does not accept "B", "A": they are not among the options/,
      /^Did you mean "b", "a"\? /,
    ],
    [[{ part: 'Title', operator: 'custom', value: 'x' }], /custom operator is empty/, /spells/],
  ])('refuses %j with a sentence', (conditions, message, description) => {
    const asking = (): unknown => filter(conditions);
    expect(asking).toThrow(UserError);
    expect(asking).toThrow(message);
    expect(descriptionOf(asking)).toMatch(description);
  });

  it.each([undefined, null, {}, { condition: [] }, ''])('%j are no conditions', (saved) => {
    expect(readConditions(saved, context)).toEqual([]);
  });

  it.each<[unknown, RegExp]>([
    [{ condition: undefined }, /^The filters are no list of conditions, but undefined$/],
    [{ condition: null }, /^The filters are no list of conditions, but null$/],
    [{ condition: '' }, /^The filters are no list of conditions, but ""$/],
    [{ condition: { part: 'Name' } }, /no list of conditions/],
    [{ condition: 'x' }, /^The filters are no list of conditions, but "x"$/],
    [{ condition: 7 }, /no list of conditions/],
    ['text', /no list of conditions/],
    [{ condition: [null] }, /^Filter 1: It is no condition, but null$/],
    [{ condition: [{ part: 'Title', value: 'x' }, 'x'] }, /^Filter 2: It is no condition, but "x"$/],
    [
      { condition: [{ part: 'Title', operator: undefined, value: 'x' }] },
      /^Filter 1: Its "operator" is empty/,
    ],
    [{ condition: [{ part: null, value: 'x' }] }, /^Filter 1: Its "part" is empty/],
  ])('a filter that is lost is refused: %j', (saved, message) => {
    expect(() => readConditions(saved, context)).toThrow(message);
  });

  it('throws nothing but its own refusals, whatever was saved', () => {
    const anything = fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true });
    const condition = fc.record(
      {
        part: fc.oneof(fc.constantFrom(...parts.map(({ name }) => name)), anything),
        operator: fc.oneof(
          fc.constantFrom('equals', 'gte', 'contains', 'isNull', 'custom', 'oneOf', 'lt', 'endsWith'),
          anything,
        ),
        customOperator: anything,
        value: anything,
        valueType: fc.oneof(fc.constantFrom('value', 'id'), anything),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.record({ condition: fc.oneof(fc.array(condition), anything) }), anything),
        anything,
        (saved, json) => {
          try {
            const text = filterText(saved, json);
            expect(typeof text === 'string' || text === undefined).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(UserError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('filter JSON', () => {
  const own = { field_id: '9', operator: 'between', value: '1\t2' };

  it.each<[unknown, unknown]>([
    [{ item: [own] }, { item: [own] }],
    [JSON.stringify({ item: [own] }), { item: [own] }],
    [{ item: own }, { item: [own] }],
    [[own], { item: [own] }],
    [
      { item: [own], type: 'or' },
      { item: [own], type: 'or' },
    ],
    [{ any: [own] }, { any: [own] }],
    [
      { any: [own], depth: 1 },
      { any: [own], depth: 1 },
    ],
    [{}, undefined],
    ['  ', undefined],
    [{ item: [] }, undefined],
  ])('%j is %j', (json, expected) => {
    expect(filter([], json)).toEqual(expected);
  });

  it('applies beside the filters', () => {
    expect(filter([{ part: '101', value: 'x' }], { item: [own] })).toEqual({
      item: [{ field_id: '101', operator: '=', value: 'x' }, own],
    });
  });

  it.each<[unknown, RegExp]>([
    ['{"item":', /not valid JSON/],
    ['nonsense', /not valid JSON/],
    ['7', /is not an object/],
    [own, /single condition/],
    [{ company: 'Acme' }, /contains no conditions/],
    [{ item: 'x' }, /not a list of conditions/],
    [{ item: ['x'] }, /not a list of conditions/],
  ])('refuses %j', (json, message) => {
    expect(() => filter([], json)).toThrow(message);
  });

  it('refuses to combine filters with anything but conditions', () => {
    expect(() => filter([{ part: '101', value: 'x' }], { item: [own], type: 'or' })).toThrow(/\(type\)/);
  });
});

test.each([
  ['the service', filtersProperty, true],
  ['the node', checkedFiltersProperty, false],
])(
  'Custom is an operator of conditions that the service checks, and only of those: %s',
  (_, property, isOffered) => {
    const [group] = property.options as { values: INodeProperties[] }[];
    const operator = group!.values.find(({ name }) => name === 'operator');
    const values = operator!.options!.map((option) => (option as { value: unknown }).value);
    expect(values).toContain('equals');
    expect(values.includes('custom')).toBe(isOffered);
    expect(group!.values.some(({ name }) => name === 'customOperator')).toBe(isOffered);
  },
);
