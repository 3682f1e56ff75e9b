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
  it.each<[string, string, unknown[], unknown[]]>([
    ['Title', 'equals', ['Acme "Steel"', 'x\nAcme "Steel"'], ['acme "steel"']],
    ['Title', 'notEquals', ['acme "steel"'], []],
    ['Title', 'oneOf', ['x\nAcme "Steel"', '["x", "Acme \\"Steel\\""]'], [['x', 'y']]],
    ['Title', 'contains', ['Steel'], ['steel']],
    ['Title', 'notContains', ['steel'], [['steel', 'Acme']]],
    ['Title', 'startsWith', ['Acme'], ['cme']],
    ['Title', 'endsWith', ['"'], []],
    ['Code', 'equals', ['[1]', ['[1]']], []],
    ['Code', 'notEquals', ['1'], []],
    ['Code', 'notContains', ['[2]'], []],
    ['Code', 'oneOf', ['0\n[1]\n2', '["[1]", "a"]'], []],
    ['Note', 'equals', ['one\ntwo', ['one\ntwo']], ['one']],
    ['Note', 'notEquals', ['zero\none'], ['one\r\ntwo']],
    ['Note', 'startsWith', ['one\nt'], []],
    ['Note', 'oneOf', [], ['one\ntwo']],
    ['Note', 'endsWith', [['e\r\ntwo']], []],
    ['Hours', 'equals', ['1200.5', 1200.5, '1,200.50'], []],
    ['Hours', 'notEquals', [], ['1,200.500']],
    ['Hours', 'gt', ['1200.49'], ['1200.5']],
    ['Hours', 'gte', ['1200.5'], []],
    ['Hours', 'lt', [], ['9']],
    ['Hours', 'lte', ['1200.50'], []],
    ['Hours', 'startsWith', ['12', '1,200'], ['12.0']],
    ['Due', 'equals', ['2026-03-01', '2026-02-28T20:00:00Z', '2026/3/1'], []],
    ['Due', 'lt', ['2026-03-02'], ['2026-03-01']],
    ['Due', 'contains', ['2026-'], []],
    ['Due', 'lte', ['2026年3月1日'], []],
    ['Due', 'gt', ['2026.2.28'], []],
    ['Due', 'startsWith', ['2026/3', '2026年3月', '2026年'], []],
    ['Due', 'notContains', [], ['2026.3.1']],
    ['From', 'equals', ['9:30'], []],
    ['From', 'startsWith', ['9:30', '09:30', '9:'], []],
    ['From', 'contains', ['9:30'], ['1:30']],
    ['From', 'endsWith', ['30:00'], []],
    ['From', 'notContains', [], ['9:30']],
    ['From', 'gt', ['09:29:59'], []],
    ['From', 'lt', ['10:00'], [34200]],
    ['Meeting', 'equals', ['2026-03-01T00:30:00Z', '2026/03/01 9:30'], []],
    ['Meeting', 'gte', [], ['2026-03-01T09:31']],
    ['Meeting', 'startsWith', ['2026-03-01', '2026/3/1', '2026/3/1 9:30'], []],
    // A day is its midnight here.
    ['Meeting', 'lte', [], ['2026-03-01']],
    ['Meeting', 'lt', ['2026-03-02'], []],
    ['Meeting', 'notContains', [], ['2026-3-1']],
    ['Meeting', 'contains', ['2026-03-01T00:30:00Z'], []],
    ['Meeting', 'gt', [new Date('2026-03-01T00:29:00Z')], []],
    ['Owner', 'equals', ['Ben', 'Cleo, Ben'], ['Mori, Aiko']],
    ['Owner', 'notEquals', [], ['Ben']],
    ['Owner', 'notContains', [], ['Cleo, Ben']],
    ['Owner', 'oneOf', [{ name: 'Ben' }], []],
    ['Owner', 'contains', ['Aiko Mori'], ['Aiko']],
    ['Owner', 'startsWith', [], ['Aiko']],
    ['Sum', 'equals', ['1200.0'], []],
    ['Sum', 'startsWith', ['1,200'], []],
    ['Sum', 'gt', ['300'], []],
    ['Sum', 'lt', [], ['2026-01-01']],
    ['Marks', 'equals', ['red'], []],
    ['Marks', 'oneOf', [], [['reddish']]],
    ['Marks', 'contains', ['red, reddish'], ['reddish']],
    ['Marks', 'notContains', ['green\nreddish'], ['red']],
    ['Marks', 'notEquals', [], ['reddish, blue']],
    ['Status', 'startsWith', ['Op'], ['Open ']],
    ['Status', 'equals', ['Open '], []],
    ['Status', 'oneOf', [], ['[1]']],
    ['Stage', 'equals', [' Won'], [' Lost']],
    ['Stage', 'notEquals', ['["Won"]'], []],
    ['Stage', 'oneOf', ['["Won"]'], []],
    ['Papers', 'endsWith', ['.pdf'], []],
    ['Papers', 'equals', ['terms.pdf'], []],
    ['Items', 'isNull', [], ['']],
    ['Items', 'isNotNull', [''], []],
    ['ID', 'gt', ['9'], []],
    ['ID', 'lt', [], ['9']],
    ['ID', 'equals', [' 12 '], []],
    ['ID', 'notEquals', ['x'], ['012']],
  ])('%s %s: %j, and not %j', (part, operator, met, unmet) => {
    expect([...met, ...unmet].filter((value) => meets(part, operator, value))).toEqual(met);
  });

  it.each<[string, string, unknown[], unknown[]]>([
    ['Owner', 'equals', ['7', '9, 7'], []],
    ['Owner', 'notEquals', [], ['[9, 8]']],
    ['Owner', 'oneOf', [[{ id: 8, name: 'x' }]], []],
    ['Papers', 'oneOf', ['3'], []],
    // By value, where values have no IDs.
    ['ID', 'gt', ['9'], []],
    ['ID', 'lt', ['013'], []],
    ['ID', 'notEquals', [], ['012']],
    ['Hours', 'lte', ['1,200.5'], []],
    ['Due', 'gt', ['2026/2/28'], []],
    ['From', 'equals', ['9:30'], []],
    ['Title', 'contains', ['Steel'], []],
    ['Sum', 'equals', ['1200'], []],
  ])('by ID, %s %s: %j, and not %j', (part, operator, met, unmet) => {
    const byId = { valueType: 'id' };
    expect([...met, ...unmet].filter((value) => meets(part, operator, value, byId))).toEqual(met);
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
    [{ part: 'Status', value: '2', valueType: 'id' }, /by ID here: records do not show the IDs/, /or Name"/],
    [{ part: 'Marks', operator: 'oneOf', value: '2', valueType: 'id' }, /by ID here/, /"Value or Name"/],
    [{ part: 'Marks', operator: 'contains', value: 'red, pink' }, /accept "pink": it is not one of/, /./],
    [{ part: 'Marks', operator: 'endsWith', value: 'red, pink' }, /accept "pink": it is not one of/, /./],
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

  it('refuses a part that the application does not return', () => {
    const byIdentifier = { parts, keyMode: 'identifier', timezone: 'UTC' } as const;
    const read = (part: string): unknown =>
      readCheckedConditions([{ part, operator: 'notEquals', value: '1' }], byIdentifier);
    expect(read('Title')).toHaveLength(1);
    expect(refusalOf(() => read('Hours')).message).toMatch(/has no part identifier/);
  });
});
