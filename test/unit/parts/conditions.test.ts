import { readCheckedConditions } from '../../../nodes/ApplicationDataService/common/filters';
import type { MatchMode } from '../../../nodes/ApplicationDataService/parts/conditions/condition';
import { RecordTest } from '../../../nodes/ApplicationDataService/parts/conditions/recordTest';
import type { Part } from '../../../nodes/ApplicationDataService/parts/model/part';
import { makePart, refusalOf } from './support/parts';

const PEOPLE = { users: { item: ['Aiko Mori', 'Ben'].map((Name, index) => ({ id: index + 7, Name })) } };

const parts: readonly Part[] = [
  makePart('id', { id: '1', name: 'ID', system: true }),
  makePart('textbox', { id: '101', name: 'Title', identifier: 'title' }),
  makePart('number', { id: '102', name: 'Hours' }),
  makePart('date', { id: '103', name: 'Due' }),
  makePart('time', { id: '104', name: 'From' }),
  makePart('datetime', { id: '105', name: 'Meeting' }),
  makePart('users', { id: '106', name: 'Owner' }),
  makePart('expression', { id: '107', name: 'Sum' }),
  makePart('checkbox', { id: '108', name: 'Marks', options: ['red', 'reddish', 'blue', 'green'] }),
  makePart('select', { id: '109', name: 'Status', options: ['Ordered by phone', 'Open', '[1]'] }),
  makePart('files', { id: '110', name: 'Papers' }),
  makePart('input_list', { id: '111', name: 'Items', children: [makePart('textbox', { name: 'Item' })] }),
  makePart('textarea', { id: '112', name: 'Note' }),
  makePart('textbox', { id: '113', name: 'revision' }),
  makePart('textbox', { id: '114', name: 'Code' }),
  makePart('radio', { id: '115', name: 'Stage', options: ['Won'], allowOther: true }),
];

const record = {
  ID: { val: '12' },
  Title: { val: 'Acme "Steel"' },
  Hours: { val: '1,200.50' },
  Due: { val: { year: 2026, month: 3, day: 1 } },
  From: { val: '34200' },
  Meeting: { val: '2026-03-01T09:30' },
  Owner: { val: PEOPLE },
  Sum: { val: '1,200', type: 'number' },
  Marks: { val: 'red\tblue' },
  Status: { val: 'Open' },
  Papers: { val: { attach: { item: { id: '3', attachdisp: 'terms.pdf' } } } },
  Items: { val: { child_records: { item: [{ Item: { val: 'Bolt' } }] } } },
  Note: { val: 'one\r\ntwo' },
  Code: { val: '[1]' },
  Stage: { val: 'Won' },
};

const context = { parts, keyMode: 'name', timezone: 'Asia/Tokyo' } as const;

function testOf(conditions: unknown, match: MatchMode = 'all'): RecordTest {
  return new RecordTest(readCheckedConditions({ condition: conditions }, context), match, 'name');
}

function meets(part: string, operator: string, value?: unknown, more: object = {}): boolean {
  return testOf([{ part, operator, value, ...more }]).meets(record);
}

describe('a condition that the node checks', () => {
  it.each<[string, string, unknown, boolean]>([
    ['Title', 'equals', 'Acme "Steel"', true],
    ['Title', 'equals', 'acme "steel"', false],
    ['Title', 'notEquals', 'acme "steel"', true],
    ['Title', 'oneOf', 'x\nAcme "Steel"', true],
    ['Title', 'oneOf', ['x', 'y'], false],
    ['Title', 'contains', 'Steel', true],
    ['Title', 'contains', 'steel', false],
    ['Title', 'notContains', 'steel', true],
    ['Title', 'notContains', ['steel', 'Acme'], false],
    ['Title', 'startsWith', 'Acme', true],
    ['Title', 'startsWith', 'cme', false],
    ['Title', 'endsWith', '"', true],
    ['Code', 'equals', '[1]', true],
    ['Code', 'notEquals', '1', true],
    ['Code', 'notContains', '[2]', true],
    ['Code', 'equals', ['[1]'], true],
    ['Code', 'oneOf', '0\n[1]\n2', true],
    ['Code', 'oneOf', '["[1]", "a"]', true],
    ['Title', 'equals', 'x\nAcme "Steel"', true],
    ['Title', 'oneOf', '["x", "Acme \\"Steel\\""]', true],
    ['Note', 'equals', 'one\ntwo', true],
    ['Note', 'equals', 'one', false],
    ['Note', 'notEquals', 'one\r\ntwo', false],
    ['Note', 'notEquals', 'zero\none', true],
    ['Note', 'startsWith', 'one\nt', true],
    ['Note', 'oneOf', 'one\ntwo', false],
    ['Note', 'equals', ['one\ntwo'], true],
    ['Note', 'endsWith', ['e\r\ntwo'], true],
    ['Hours', 'equals', '1200.5', true],
    ['Hours', 'equals', 1200.5, true],
    ['Hours', 'notEquals', '1,200.500', false],
    ['Hours', 'gt', '1200.49', true],
    ['Hours', 'gt', '1200.5', false],
    ['Hours', 'gte', '1200.5', true],
    ['Hours', 'lt', '9', false],
    ['Hours', 'lte', '1200.50', true],
    ['Hours', 'equals', '1,200.50', true],
    ['Hours', 'startsWith', '12', true],
    ['Hours', 'startsWith', '1,200', true],
    ['Hours', 'startsWith', '12.0', false],
    ['Due', 'equals', '2026-03-01', true],
    ['Due', 'equals', '2026-02-28T20:00:00Z', true],
    ['Due', 'lt', '2026-03-02', true],
    ['Due', 'lt', '2026-03-01', false],
    ['Due', 'contains', '2026-', true],
    ['Due', 'equals', '2026/3/1', true],
    ['Due', 'lte', '2026年3月1日', true],
    ['Due', 'gt', '2026.2.28', true],
    ['Due', 'startsWith', '2026/3', true],
    ['Due', 'startsWith', '2026年3月', true],
    ['Due', 'startsWith', '2026年', true],
    ['Due', 'notContains', '2026.3.1', false],
    ['From', 'equals', '9:30', true],
    ['From', 'startsWith', '9:30', true],
    ['From', 'startsWith', '09:30', true],
    ['From', 'startsWith', '9:', true],
    ['From', 'contains', '9:30', true],
    ['From', 'contains', '1:30', false],
    ['From', 'endsWith', '30:00', true],
    ['From', 'notContains', '9:30', false],
    ['From', 'gt', '09:29:59', true],
    ['From', 'lt', '10:00', true],
    ['From', 'lt', 34200, false],
    ['Meeting', 'equals', '2026-03-01T00:30:00Z', true],
    ['Meeting', 'gte', '2026-03-01T09:31', false],
    ['Meeting', 'startsWith', '2026-03-01', true],
    ['Meeting', 'startsWith', '2026/3/1', true],
    ['Meeting', 'startsWith', '2026/3/1 9:30', true],
    ['Meeting', 'equals', '2026/03/01 9:30', true],
    // A day is its midnight here.
    ['Meeting', 'lte', '2026-03-01', false],
    ['Meeting', 'lt', '2026-03-02', true],
    ['Meeting', 'notContains', '2026-3-1', false],
    ['Meeting', 'contains', '2026-03-01T00:30:00Z', true],
    ['Meeting', 'gt', new Date('2026-03-01T00:29:00Z'), true],
    ['Owner', 'equals', 'Ben', true],
    ['Owner', 'notEquals', 'Ben', false],
    ['Owner', 'equals', 'Cleo, Ben', true],
    ['Owner', 'equals', 'Mori, Aiko', false],
    ['Owner', 'notContains', 'Cleo, Ben', false],
    ['Owner', 'oneOf', { name: 'Ben' }, true],
    ['Owner', 'contains', 'Aiko Mori', true],
    ['Owner', 'contains', 'Aiko', false],
    ['Owner', 'startsWith', 'Aiko', false],
    ['Sum', 'equals', '1200.0', true],
    ['Sum', 'startsWith', '1,200', true],
    ['Sum', 'gt', '300', true],
    ['Sum', 'lt', '2026-01-01', false],
    ['Marks', 'equals', 'red', true],
    ['Marks', 'oneOf', ['reddish'], false],
    ['Marks', 'contains', 'red, reddish', true],
    ['Marks', 'contains', 'reddish', false],
    ['Marks', 'notContains', 'red', false],
    ['Marks', 'notContains', 'green\nreddish', true],
    ['Marks', 'notEquals', 'reddish, blue', false],
    ['Status', 'startsWith', 'Op', true],
    ['Status', 'equals', 'Open ', true],
    ['Status', 'startsWith', 'Open ', false],
    ['Stage', 'equals', ' Won', true],
    ['Stage', 'equals', ' Lost', false],
    ['Stage', 'notEquals', '["Won"]', true],
    ['Stage', 'oneOf', '["Won"]', true],
    ['Status', 'oneOf', '[1]', false],
    ['Papers', 'endsWith', '.pdf', true],
    ['Papers', 'equals', 'terms.pdf', true],
    ['Items', 'isNull', '', false],
    ['Items', 'isNotNull', '', true],
    ['ID', 'gt', '9', true],
    ['ID', 'lt', '9', false],
    ['ID', 'equals', ' 12 ', true],
    ['ID', 'notEquals', 'x', true],
    ['ID', 'notEquals', '012', false],
  ])('%s %s %j is %s', (part, operator, value, expected) => {
    expect(meets(part, operator, value)).toBe(expected);
  });

  it.each<[string, string, unknown, boolean]>([
    ['Owner', 'equals', '7', true],
    ['Owner', 'equals', '9, 7', true],
    ['Owner', 'notEquals', '[9, 8]', false],
    ['Owner', 'oneOf', [{ id: 8, name: 'x' }], true],
    ['Papers', 'oneOf', '3', true],
    // By value, where values have no IDs.
    ['ID', 'gt', '9', true],
    ['ID', 'lt', '013', true],
    ['ID', 'notEquals', '012', false],
    ['Hours', 'lte', '1,200.5', true],
    ['Due', 'gt', '2026/2/28', true],
    ['From', 'equals', '9:30', true],
    ['Title', 'contains', 'Steel', true],
    ['Sum', 'equals', '1200', true],
  ])('by ID, %s %s %j is %s', (part, operator, value, expected) => {
    expect(meets(part, operator, value, { valueType: 'id' })).toBe(expected);
  });

  it('orders numbers that JavaScript cannot distinguish', () => {
    const large = { ...record, Hours: { val: '12345678901234567890.2' } };
    const greater = (than: string): boolean =>
      testOf([{ part: 'Hours', operator: 'gt', value: than }]).meets(large);
    expect(greater('12345678901234567890.19')).toBe(true);
    expect(greater('12345678901234567890.2')).toBe(false);
    expect(greater('-12345678901234567890.3')).toBe(true);
  });

  it.each([
    ['a number', { val: '7', type: 'number' }, '6', true],
    ['a date', { val: '2026-03-01', type: 'date' }, '2026-02-01', true],
    ['a time', { val: '36000', type: 'time' }, '9:30', true],
    ['a text that looks like a number', { val: '7' }, '6', true],
    ['another text', { val: 'many' }, '6', false],
  ])('orders the result of an auto calculation: %s', (_, value, than, expected) => {
    expect(testOf([{ part: 'Sum', operator: 'gt', value: than }]).meets({ ...record, Sum: value })).toBe(
      expected,
    );
  });

  it('an empty part meets only what asks for that, or for another value', () => {
    const asking = ['notEquals', 'notContains', 'isNull'];
    const operators = 'equals oneOf contains startsWith endsWith gt gte lt lte isNotNull'.split(' ');
    const empty = { ...record, Hours: { val: '' } };
    const met = [...operators, ...asking].filter((operator) =>
      testOf([{ part: 'Hours', operator, value: '0' }]).meets(empty),
    );
    expect(met).toEqual(asking);
  });
});

describe('several conditions', () => {
  const met = { part: 'Hours', operator: 'gt', value: '1' };
  const unmet = { part: 'Title', operator: 'equals', value: 'x' };

  it('all, any, and none', () => {
    expect(testOf([met, unmet]).meets(record)).toBe(false);
    expect(testOf([met, unmet], 'any').meets(record)).toBe(true);
    expect(testOf([unmet], 'any').meets(record)).toBe(false);
    expect(testOf([], 'any').meets(record)).toBe(true);
    expect(testOf([met, unmet, met]).parts.map(({ name }) => name)).toEqual(['Hours', 'Title']);
  });

  it.each(['notEquals', 'isNull', 'isNotNull', 'gt', 'notContains'])(
    'a part that is hidden, has an error or is missing meets no condition: %s',
    (operator) => {
      for (const Hours of [{ error: 'unauthorized' }, { val: '7', error: 'reference_error' }, undefined]) {
        const test = testOf([{ part: 'Hours', operator, value: '3' }], 'any');
        const shown = Object.entries({ ...record, Hours }).filter(([, value]) => value !== undefined);
        expect(test.meets(Object.fromEntries(shown))).toBe(false);
        expect([...test.hidden].map(({ name }) => name)).toEqual(['Hours']);
      }
      expect(testOf([met]).hidden.size).toBe(0);
    },
  );
});

describe('conditions that cannot be checked', () => {
  it.each<[Record<string, unknown>, RegExp, RegExp]>([
    [{ part: 'Marks', operator: 'lte', value: '1' }, /Is Less Than or Equal To/, /operator/],
    [{ part: 'ID', operator: 'gt', value: 'x' }, /accept "x": it cannot be put in order/, /a number/],
    [{ part: 'Sum', operator: 'gt', value: 'x' }, /it cannot be put in order/, /a number, a date/],
    [{ part: 'Status', operator: 'notEquals', value: 'Ordered' }, /not one of the options/, /by phone/],
    [{ part: 'Status', operator: 'oneOf', value: 'Open\nopen' }, /accept "open"/, /mean "Open"/],
    [{ part: 'Title', operator: 'startsWith', value: '' }, /no value/, /Is Empty/],
    [{ part: 'Title', operator: 'custom', customOperator: '<' }, /"Custom" cannot/, /another operator/],
    [
      { part: 'Owner', value: 'Ben', valueType: 'id' },
      /accept "Ben": it is not an ID$/,
      /"Value or Name"\.$/,
    ],
    [{ part: 'Owner', value: '7, Ben', valueType: 'id' }, /accept "Ben": it is not an ID$/, /Compare By/],
    [{ part: 'Due', operator: 'gt', value: 'x', valueType: 'id' }, /is not a date/, /./],
    ...['equals', 'contains', 'notEquals', 'notContains', 'oneOf', 'startsWith', 'endsWith'].flatMap(
      (operator) =>
        ['Status', 'Marks'].map((part): [Record<string, unknown>, RegExp, RegExp] => [
          { part, operator, value: '2', valueType: 'id' },
          /cannot be compared by ID here: records do not show the IDs of choices/,
          /"Value or Name"/,
        ]),
    ),
    [{ part: 'revision', operator: 'notEquals', value: '1' }, /it has the key of the revision/, /part name/],
  ])('refuses %j', (condition, message, description) => {
    const refusal = refusalOf(() => testOf([condition]));
    expect(refusal.message).toMatch(message);
    expect(refusal.message).toMatch(/^Filter 1: /);
    expect(refusal.description).toMatch(description);
  });

  const blank = ['Due', 'Hours', 'Sum', 'ID'].map(
    (part) => [part, '  ', /it is not a value to compare/] as const,
  );

  it.each([
    ...blank,
    ['Due', '2026-02-30', /names a day/],
    ['Meeting', '2026-03-01T99:99', /names a day or a time of day/],
    ['Owner', ' ', /There is no value to compare part "Owner"/],
    ['Hours', 'many', /it is not a number/],
  ] as const)('%s with %j, whatever the operator', (part, value, message) => {
    for (const operator of part === 'Owner' ? ['equals'] : ['equals', 'notEquals', 'oneOf', 'gt'])
      expect(refusalOf(() => testOf([{ part, operator, value }])).message).toMatch(message);
  });

  it.each(['contains', 'notContains', 'startsWith', 'endsWith', 'oneOf', 'notEquals'])(
    'a choice that is none, with %s',
    (operator) =>
      expect(refusalOf(() => testOf([{ part: 'Marks', operator, value: 'red, pink' }])).message).toMatch(
        /does not accept "pink": it is not one of/,
      ),
  );

  it('refuses a part that the application does not return', () => {
    const byIdentifier = { parts, keyMode: 'identifier', timezone: 'UTC' } as const;
    const read = (part: string): unknown =>
      readCheckedConditions([{ part, operator: 'notEquals', value: '1' }], byIdentifier);
    expect(read('Title')).toHaveLength(1);
    expect(refusalOf(() => read('Hours')).message).toMatch(/has no part identifier/);
  });
});
