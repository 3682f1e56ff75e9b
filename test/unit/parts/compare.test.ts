import { canonicalText, holds } from '../../../nodes/ApplicationDataService/parts/compare';
import type { WriteValue } from '../../../nodes/ApplicationDataService/parts/model/part';
import type { SimplifiedValue } from '../../../nodes/ApplicationDataService/parts/values/shapes';
import { makePart, TOKYO } from './support/parts';

const text = (value: string): WriteValue => ({ kind: 'text', text: value });

describe('whether a part has a value', () => {
  test.each<[string, string, SimplifiedValue | undefined, boolean | null]>([
    ['textbox', 'a', 'a', true],
    ['textbox', 'a', 'A', false],
    ['textbox', '', null, true],
    ['textbox', 'a', undefined, null],
    ['textarea', 'a\nb', 'a\r\nb', true],
    ['number', '12.50', 12.5, true],
    ['number', '12345678901234567890.10', '12345678901234567890.1', true],
    ['number', '0', null, false],
    ['checkbox', 'a\tb', ['b', 'a'], true],
    ['checkbox', 'a', ['b', 'a'], false],
    ['checkbox', '', [], true],
    ['users', '2\t1', ['1', '2'].map((id) => ({ id, name: 'x' })), true],
    ['time', '3600', '01:00:00', true],
    ['date', '2026-03-01', '2026-03-01', true],
  ])('%s: %j, if it is %j', (type, sent, current, expected) => {
    expect(holds(makePart(type), text(sent), current, TOKYO)).toBe(expected);
  });

  test('a choice that is no longer an option can still be compared', () => {
    const part = makePart('select', { options: ['new'] });
    expect(holds(part, text('new'), 'old', TOKYO)).toBe(false);
    expect(holds(part, text('old'), 'old', TOKYO)).toBe(true);
    // What is typed is trimmed to meet an option, what is stored is not.
    expect(holds(part, text('new'), 'new ', TOKYO)).toBe(false);
  });

  test('for files this is unknown, unless an item asks for nothing', () => {
    const part = makePart('files');
    expect(holds(part, { kind: 'files', add: ['data'], remove: [] }, [], TOKYO)).toBeNull();
    expect(holds(part, { kind: 'keep' }, [], TOKYO)).toBe(true);
  });

  test('rows are equal if their number, their ids or places, and the values in the item are', () => {
    const item = makePart('textbox', { name: 'Item' });
    const table = makePart('input_list', { children: [item] });
    const row = (value: string, id?: string) => ({
      ...(id && { id }),
      values: [{ part: item, value: text(value) }],
    });
    const current = ['a', 'b'].map((Item, index) => ({ id: String(index + 1), Item }));
    const is = (...rows: ReturnType<typeof row>[]) => holds(table, { kind: 'rows', rows }, current, TOKYO);
    expect(is(row('b', '2'), row('a', '1'))).toBe(true);
    expect(is(row('a'), row('b'))).toBe(true);
    expect(is(row('a'))).toBe(false);
    expect(is(row('a', '1'), row('b', '9'))).toBe(false);
    expect(is(row('a', '1'), row('c', '2'))).toBe(false);
  });
});

test('one text for all values with the same meaning', () => {
  expect(canonicalText(makePart('number'), '-0012.500')).toBe('-12.5');
  expect(canonicalText(makePart('number'), 'none')).toBe('none');
  expect(canonicalText(makePart('groups'), '2\t1')).toBe('1\t2');
  expect(canonicalText(makePart('textbox'), '007')).toBe('007');
});
