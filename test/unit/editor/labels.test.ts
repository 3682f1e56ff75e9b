import { fieldLabels, partLabels, typeName } from '../../../nodes/ApplicationDataService/editor/partLists';
import type { Part } from '../../../nodes/ApplicationDataService/parts/model/part';
import { makePart } from '../parts/support/parts';

/** The key that n8n creates from a label for an AI tool's parameter. */
function toolKey(label: string): string {
  return label.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, 63);
}

const text = (name: string, id: string): Part => makePart('textbox', { name, id });
const labels = (...parts: Part[]): string[] => [...partLabels(parts).values()];

describe('the label of a part', () => {
  it('is its name', () => {
    expect(labels(text('Title', '101'), text('Other title', '102'))).toEqual(['Title', 'Other title']);
  });

  it.each([
    ['equal names', 'Title', 'Title', ['Title (101)', 'Title (102)']],
    ['names without a Latin letter', '会社名', '担当者', ['会社名 (101)', '担当者 (102)']],
    ['names that differ only in such a letter', 'Straße', 'Strase', ['Straße', 'Strase']],
    ['other equal characters', 'A/B', 'A B', ['A/B (101)', 'A B (102)']],
    ['names of other fields', 'Revision', 'Max/Removals', ['Revision (101)', 'Max/Removals (102)']],
  ])('has the ID with %s', (_, one, other, expected) => {
    expect(labels(text(one, '101'), text(other, '102'), text('Third', '103'))).toEqual([
      ...expected,
      'Third',
    ]);
  });

  it('stays distinct if names are cut off, or if a name looks like a label with an ID', () => {
    const long = 'very '.repeat(20);
    const names = [`${long}A`, `${long}B`, 'X', 'X', 'X (3)'];
    const parts = names.map((name, index) => text(name, String(index + 1)));
    const shown = labels(...parts);
    expect(new Set(shown.map(toolKey)).size).toBe(parts.length);
    expect(shown.slice(2)).toEqual(['X (3)', 'X (4)', 'X (3) (5)']);
  });
});

it.each<[string, Partial<Part>, string]>([
  ['number', {}, 'Part'],
  ['date', {}, 'Part · date'],
  ['datetime', {}, 'Part · date, time'],
  ['time', {}, 'Part · time'],
  ['files', {}, 'Part · file'],
  ['input_list', {}, 'Part · rows'],
  ['users', {}, 'Part · name'],
  ['groups', {}, 'Part · name'],
  ['checkbox', { options: ['Yes'] }, 'Part · choice'],
  ['checkbox', { options: ['Yes'], allowOther: true }, 'Part · list'],
  ['checkbox', { options: ['Tools', 'Paint'] }, 'Part · list'],
  ['listbox', {}, 'Part · list'],
  ['select', { options: ['S', 'M'] }, 'Part'],
  ['select', { allowOther: true }, 'Part'],
  ['select', { options: ['S', 'M'], allowOther: true }, 'Part · choice'],
])('the label of a field for %s %j says what to enter if that is not obvious', (type, more, label) => {
  expect([...fieldLabels([makePart(type, { name: 'Part', ...more })]).values()]).toEqual([label]);
});

it('the label of a field has the ID, too, where its name alone would be the same key', () => {
  const parts = ['開始', '終了'].map((name, index) => makePart('date', { id: String(index), name }));
  expect([...fieldLabels(parts).values()]).toEqual(['開始 (0) · date', '終了 (1) · date']);
});

it('typeName names the choices, too', () => {
  expect(typeName(makePart('checkbox', { options: ['North', 'South'] }))).toBe('Check box: North, South');
});

it('typeName is the name of the type, as far as it is known', () => {
  expect(typeName(makePart('datetime'))).toBe('Date/time');
  expect(typeName(makePart('number', { reference: true }))).toBe('Number, from another application');
  expect(typeName(makePart('rel_field', { reference: true }))).toBe(
    'Reference part in error, from another application',
  );
  expect(typeName(makePart('hologram'))).toBe('hologram');
});
