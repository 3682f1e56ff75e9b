import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import {
  checkedFiltersProperty,
  filtersProperty,
  readConditions,
} from '../../../nodes/ApplicationDataService/common/filters';
import { combinedFilter, readFilterJson } from '../../../nodes/ApplicationDataService/common/query';
import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { makePart, refusalOf } from '../parts/support/parts';

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
  makePart('select', { id: '112', name: 'Stage', options: ['Open', 'Won'] }),
  makePart('textarea', { id: '113', name: 'Note' }),
];
const context = { parts, keyMode: 'name', timezone: 'Asia/Tokyo' } as const;

function filter(saved: unknown, json?: unknown): unknown {
  const asked = readConditions(saved, context).flatMap(({ filter: each }) => (each ? [each] : []));
  const text = combinedFilter(asked, readFilterJson(json));
  return text === undefined ? undefined : JSON.parse(text);
}

type Saved = Readonly<Record<string, unknown>>;

test.each<[Saved, string]>([
  [{ part: '101', operator: 'equals', value: 'A', valueType: 'value' }, '101 = A'],
  [{ part: 'Hours', operator: 'gte', value: '7' }, '102 >= 7'],
  [{ part: 'Hours', operator: '>=', value: '7' }, '102 >= 7'],
  [{ part: 'title', operator: 'contains', value: 'x' }, '101 contains x'],
  [{ part: '103', operator: 'isNull', value: 'y', valueType: 'id' }, '103 is_null'],
  [{ part: '102', operator: 'custom', customOperator: ' <= ', value: '7' }, '102 <= 7'],
  [{ part: '103', operator: 'custom', customOperator: 'is_not_null', value: '' }, '103 is_not_null'],
  [{ part: '106', operator: 'contains', value: ['1', '2'], valueType: 'id' }, '106 contains 1\t2 id'],
  [{ part: '110', value: '1, 2', valueType: 'id' }, '110 contains 1\t2 id'],
  [{ part: '112', value: '2', valueType: 'id' }, '112 contains 2 id'],
  [{ part: '112', operator: 'contains', value: '2', valueType: 'id' }, '112 contains 2 id'],
  [{ part: '112', operator: 'custom', customOperator: 'like', value: '2', valueType: 'id' }, '112 like 2 id'],
  [{ part: '112', operator: 'custom', customOperator: 'equals', value: 'gone' }, '112 = gone'],
  [{ part: '101', value: '7', valueType: 'id' }, '101 = 7'],
  [{ part: '102', operator: 'gte', value: '07', valueType: 'id' }, '102 >= 7'],
  [{ part: '102', operator: 'custom', customOperator: '<', value: '7', valueType: 'id' }, '102 < 7'],
])('the condition %j is asked as %j', (condition, sent) => {
  const [field_id, operator, value, type] = sent.split(' ');
  expect(filter([condition])).toEqual({ item: [{ field_id, operator, value, type }] });
});

test.each<[Saved, 'name' | 'identifier', string, string | undefined]>([
  [{ operator: 'equals' }, 'name', 'contains', 'equals'],
  [{ operator: 'contains' }, 'name', 'contains', 'contains'],
  [{ operator: 'equals', value: '1', valueType: 'id' }, 'name', 'contains', undefined],
  [{ operator: 'equals', value: '1', valueType: 'id' }, 'identifier', 'contains', undefined],
  [{ operator: 'equals', part: 'Owner', value: '7', valueType: 'id' }, 'name', 'contains', 'equals'],
  [{ operator: 'equals', part: 'Title' }, 'name', '=', undefined],
  [{ operator: 'contains' }, 'identifier', 'contains', undefined],
])('several values, %j by %s: asked with %s, and checked if it can be', (more, keyMode, asked, checked) => {
  const [read] = readConditions([{ part: 'Marks', value: 'a', ...more }], { ...context, keyMode });
  expect([read?.filter?.operator, read?.check?.operator]).toEqual([asked, checked]);
});

test('several values that equal others are refused where records do not show them', () => {
  const equals = { part: 'Marks', operator: 'equals', value: 'a' };
  expect(() => readConditions([equals], { ...context, keyMode: 'identifier' })).toThrow('no part identifier');
});

test.each<[Saved, string]>([
  [{ part: 'Title', value: 'two words ' }, 'two words '],
  [{ part: 'Title', value: 'a\r\nb\tc\n\n' }, 'a\tb\tc'],
  [{ part: 'Title', value: ['a\nb', '', null, 'c'] }, 'a\nb\tc'],
  [{ part: 'Title', value: '["a", 2]' }, '["a", 2]'],
  [{ part: 'Title', operator: 'contains', value: '[1]' }, '[1]'],
  [{ part: 'Title', operator: 'custom', customOperator: 'like', value: '[2026]' }, '[2026]'],
  [{ part: 'Title', value: new Date('2026-03-01T00:00:00Z') }, '2026-03-01T00:00:00.000Z'],
  [{ part: 'Note', value: 'a\r\n[b]\n' }, 'a\r\n[b]\n'],
  [{ part: 'Note', value: ['a', 'b'] }, 'a\tb'],
  [{ part: 'Title', value: '[draft' }, '[draft'],
  [{ part: 'Title', value: true }, 'true'],
  [{ part: 'Hours', value: '[123456789012345678]' }, '123456789012345678'],
  [{ part: 'Hours', value: '1,200.50' }, '1200.5'],
  [{ part: 'Hours', operator: 'contains', value: '12x' }, '12x'],
  [{ part: 'Hours', operator: 'contains', value: '1,200' }, '1200'],
  [{ part: 'Hours', operator: 'custom', customOperator: 'like', value: '1%' }, '1%'],
  [{ part: 'Due', value: '2026-03-01T23:00:00Z' }, '2026-03-02'],
  [{ part: 'Due', operator: 'contains', value: '2026-' }, '2026-'],
  [{ part: 'From', value: '9:30' }, '34200'],
  [{ part: 'Meeting', value: '2026-03-01T00:00:00+09:00' }, '2026-03-01T00:00'],
  [{ part: 'Meeting', operator: 'contains', value: '2026-3-1' }, '2026-03-01'],
  [{ part: 'Sum', value: new Date('2026-03-01T23:00:00Z') }, '2026-03-02T08:00'],
  ...['0012', '+81312345678', '12E3', '1.50', '9:30', '1,200', ' x', '[1]'].flatMap(
    (typed): [Saved, string][] => [
      [{ part: 'Sum', value: typed }, typed],
      [{ part: 'Sum', operator: 'custom', customOperator: 'like', value: typed }, typed],
    ],
  ),
  [{ part: 'Sum', value: 1200 }, '1200'],
  [{ part: 'Sum', value: new Date('2026-03-01T15:00:00Z') }, '2026-03-02'],
  [{ part: 'Sum', operator: 'gte', value: '1,200' }, '1,200'],
  [{ part: 'Sum', operator: 'gte', value: '2026/3/1' }, '2026/3/1'],
  [{ part: 'Sum', operator: 'contains', value: '1,2' }, '1,2'],
  [{ part: 'Owner', value: { id: '7', name: 'Aiko' } }, 'Aiko'],
  [{ part: 'Owner', value: 'Ann, Bob\nCleo' }, 'Ann, Bob\tAnn\tBob\tCleo'],
  [{ part: 'Owner', value: ['Ann, Bob'] }, 'Ann, Bob'],
  [{ part: 'Owner', value: '7, 8', valueType: 'id' }, '7\t8'],
  [{ part: 'Stage', value: ' Won' }, 'Won'],
  [{ part: 'Stage', operator: 'contains', value: 'on ' }, 'on '],
  [{ part: 'Owner', value: [{ id: 7, name: 'Aiko' }, '8'], valueType: 'id' }, '7\t8'],
  [{ part: 'Marks', operator: 'contains', value: 'a, b' }, 'a\tb'],
  [{ part: 'Marks', operator: 'custom', customOperator: '=', value: 'gone\nb' }, 'gone\tb'],
])('the value of %j is sent as %j', (condition, value) =>
  expect(filter([condition])).toMatchObject({ item: [{ value }] }),
);

test.each<[Saved, RegExp, RegExp]>([
  [{ part: 'Title', value: '' }, /There is no value to compare part "Title"/, /"Is Empty"/],
  [{ part: 'Title' }, /There is no value/, /expression/],
  [{ value: 'x' }, /No part is selected/, /Select/],
  [{ part: 'Titel', value: 'x' }, /There is no part "Titel"/, /Did you mean "Title"/],
  [{ part: 'Related', value: 'x' }, /does not filter by parts of type Reference list/, /another part/],
  [{ part: 'Broken', value: 'x' }, /parts of type Reference part in error/, /JSON/],
  [
    { part: 'Title', operator: 'gte', value: 'x' },
    /"Title" .* cannot be compared with "Is .* Than.*": it holds no numbers, dates or times/,
    /^Select one of these operators: Equals, Does Not Equal, .*, Ends With, Is Empty, Is Not Empty\. Or/,
  ],
  [
    { part: 'Lines', operator: 'equals', value: 'x' },
    /"Lines" .* cannot be compared with ".*": it is a table part/,
    /^Select one of these operators: Is Empty, Is Not Empty\. Or select another part\.$/,
  ],
  [{ part: 'Hours', value: 'many' }, /it is not a number/, /1200 or 12.5/],
  [{ part: 'Hours', value: 2 ** 60 }, /it has more digits than a number/, /text/],
  [{ part: 'Due', operator: 'gte', value: '1.3.2026' }, /is not a date/, /yyyy-MM-dd/],
  [{ part: 'Title', value: ['a\tb'] }, /contains a tab/, /without tabs/],
  [{ part: 'Note', value: 'a\tb' }, /contains a tab/, /without tabs/],
  [{ part: 'Sum', value: ' ' }, /not a value to compare with/, /./],
  [
    { part: 'Owner', operator: 'contains', value: 'Ann', valueType: 'id' },
    /it is not an ID$/,
    /whole numbers/,
  ],
  [
    { part: 'Stage', operator: 'oneOf', value: '2', valueType: 'id' },
    /"Stage" \(ID 112\) cannot be compared by ID with "Is One Of": records do not show/,
    /^Set Compare By to "Value or Name"/,
  ],
  [{ part: 'Stage', value: 'won' }, /not one of the options/, /use the custom operator "equals"\.$/],
  [{ part: 'Title', value: [['a']] }, /not a value to compare with/, /./],
  [{ part: 'Owner', value: { id: '7' } }, /not a value to compare with/, /./],
  [
    { part: 'Title', operator: 'like', value: 'x' },
    /no operator "like"/,
    /equals, notEquals, oneOf, contains/,
  ],
  [
    { part: 'Marks', value: ['b', 'A'] },
    /"Marks" .* does not accept "A": it is not one of the options/,
    /^Did you mean "a"\? Accepted: a, b\. To find values that are no longer .* custom operator "contains"\.$/,
  ],
  [{ part: 'Title', operator: 'custom', value: 'x' }, /custom operator is empty/, /"=" as "equals"/],
  [{ part: 'Title', operator: undefined, value: 'x' }, /"Operator" is empty/, /expression/],
  [{ part: null, value: 'x' }, /"Part Name or ID" is empty/, /expression/],
])('%j is refused, with its number', (condition, message, advice) => {
  const refusal = refusalOf(() => filter([{ part: 'Title', value: 'x' }, condition]));
  expect(refusal.message).toMatch(/^Filter 2: /);
  expect(refusal.message).toMatch(message);
  expect(refusal.description).toMatch(advice);
});

test.each([undefined, null, {}, { condition: [] }, ''])('%j are no conditions', (saved) =>
  expect(readConditions(saved, context)).toEqual([]),
);

test.each<[unknown, string]>([
  [{ condition: undefined }, 'The filters are not a list of conditions, but undefined'],
  [{ condition: null }, 'The filters are not a list of conditions, but null'],
  [{ condition: '' }, 'The filters are not a list of conditions, but ""'],
  [{ condition: { part: 'Name' } }, 'not a list of conditions'],
  ['text', 'not a list of conditions'],
  [{ condition: [null] }, 'Filter 1: It is not a condition, but null'],
])('a filter that is lost is refused: %j', (saved, message) =>
  expect(() => readConditions(saved, context)).toThrow(message),
);

test('nothing but refusals is thrown, whatever was saved', () => {
  const anything = fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true });
  const operators = ['equals', 'gte', 'contains', 'isNull', 'custom', 'oneOf', 'lt', 'endsWith'];
  const condition = fc.record(
    {
      part: fc.oneof(fc.constantFrom(...parts.map(({ name }) => name)), anything),
      operator: fc.oneof(fc.constantFrom(...operators), anything),
      customOperator: anything,
      value: anything,
      valueType: fc.oneof(fc.constantFrom('value', 'id'), anything),
    },
    { requiredKeys: [] },
  );
  const saved = fc.oneof(fc.record({ condition: fc.oneof(fc.array(condition), anything) }), anything);
  fc.assert(
    // JSON holds no very large integers.
    fc.property(saved, fc.anything({ withNullPrototype: true }), (filters, json) => {
      try {
        expect(['object', 'undefined']).toContain(typeof filter(filters, json));
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
    }),
    { numRuns: 500 },
  );
});

const OWN = { field_id: '9', operator: 'between', value: '1\t2' };

test.each<[unknown, unknown]>([
  [{ item: [OWN] }, { item: [OWN] }],
  [JSON.stringify({ item: [OWN] }), { item: [OWN] }],
  [[OWN], { item: [OWN] }],
  [
    { item: [OWN], type: 'or' },
    { item: [OWN], type: 'or' },
  ],
  ['{"item":[{"value":123456789012345678}]}', { item: [{ value: '123456789012345678' }] }],
  ['  ', undefined],
  [{ item: [] }, undefined],
])('the filter JSON %j is %j', (json, expected) => expect(filter([], json)).toEqual(expected));

test('the filter JSON applies beside the filters', () => {
  expect(filter([{ part: '101', value: 'x' }], { item: [OWN] })).toEqual({
    item: [{ field_id: '101', operator: '=', value: 'x' }, OWN],
  });
  expect(() => filter([{ part: '101', value: 'x' }], { item: [OWN], type: 'or' })).toThrow(/\(type\)/);
});

test.each<[unknown, RegExp]>([
  ['{"item":', /not valid JSON/],
  ['7', /is not an object/],
  [OWN, /a condition outside its list/],
  [{ company: 'Acme' }, /no list of conditions/],
  [{}, /no list of conditions/],
  ['{"items": [{"field_id": "101", "operator": "=", "value": "x"}]}', /no list of conditions, "item"$/],
  [{ items: [] }, /no list of conditions/],
  [{ any: [OWN], depth: 1 }, /no list of conditions/],
  [{ item: OWN }, /no list of conditions/],
  [{ item: 'x' }, /no list of conditions/],
  [{ item: ['x'] }, /no list of conditions/],
  ['{"field_id":"1","operator":"=","value":"x","item":[]}', /contains a condition outside its list "item"$/],
])('the filter JSON %j is refused', (json, message) => expect(() => filter([], json)).toThrow(message));

test.each([
  ['the service', filtersProperty, true],
  ['the node', checkedFiltersProperty, false],
])('Custom is an operator of conditions that the service checks: %s', (_, property, isOffered) => {
  const [group] = property.options as { values: INodeProperties[] }[];
  const operator = group!.values.find(({ name }) => name === 'operator');
  const values = operator!.options!.map((option) => (option as { value: unknown }).value);
  expect([values.includes('equals'), values.includes('custom')]).toEqual([true, isOffered]);
  expect(group!.values.some(({ name }) => name === 'customOperator')).toBe(isOffered);
});
