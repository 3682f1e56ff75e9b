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
  ])('has the ID with %s', (_, one, other, expected) => {
    expect(labels(text(one, '101'), text(other, '102'), text('Third', '103'))).toEqual([
      ...expected,
      'Third',
    ]);
  });

  it('stays distinct if names are cut off, or if a name looks like a label with an ID', () => {
    const long = 'very '.repeat(20);
    const parts = [
      text(`${long}A`, '1'),
      text(`${long}B`, '2'),
      text('X', '3'),
      text('X', '4'),
      text('X (3)', '5'),
    ];
    const shown = labels(...parts);
    expect(new Set(shown.map(toolKey)).size).toBe(parts.length);
    expect(shown.slice(2)).toEqual(['X (3)', 'X (4)', 'X (3) (5)']);
  });
});

it('the label of a field says briefly how to fill it in if the field does not show it', () => {
  const options = ['North', 'South'];
  const parts = [
    makePart('number', { id: '1', name: 'Hours' }),
    makePart('date', { id: '2', name: 'Due Date' }),
    makePart('files', { id: '3', name: 'Photos' }),
    makePart('checkbox', { id: '4', name: 'Interests', options }),
    makePart('listbox', { id: '5', name: 'Regions', options, allowOther: true }),
    makePart('checkbox', { id: '9', name: 'Packed', options: ['Yes'] }),
    makePart('date', { id: '6', name: '開始' }),
    makePart('date', { id: '7', name: '終了' }),
    makePart('time', { id: '8', name: '時刻' }),
  ];
  expect([...fieldLabels(parts).values()]).toEqual([
    'Hours',
    'Due Date · yyyy-MM-dd',
    'Photos · names of binary fields, e.g. data',
    'Interests · a, b',
    'Regions · JSON list',
    'Packed · Yes',
    '開始 (6) · yyyy-MM-dd',
    '終了 (7) · yyyy-MM-dd',
    '時刻 · HH:mm',
  ]);
});

it.each([
  ['date', 'Due Date', 'Due Date · yyyy-MM-dd'],
  ['date', 'Customer Since', 'Customer Since · y-M-d'],
  ['date', 'ご利用開始日', 'ご利用開始日 · y-M-d'],
  ['datetime', 'At', 'At · yyyy-MM-ddTHH:mm'],
  ['datetime', 'Visit', 'Visit · y-M-dTHH:mm'],
  ['datetime', 'Next Visit', 'Next Visit · y-M-dTHH:mm'],
])('the format of a %s beside "%s" is not cut off', (type, name, label) => {
  expect([...fieldLabels([makePart(type, { id: '1', name })]).values()]).toEqual([label]);
});

it.each(['users', 'groups'])('the label of a part of %s says when names are accepted', (type) => {
  expect([...fieldLabels([makePart(type, { id: '1', name: 'Owner' })]).values()]).toEqual([
    'Owner · IDs, or names with People by Name',
  ]);
});

it.each([
  ['Size', ['S', 'M', 'L', 'XL'], 'Size · S, M, L or other'],
  ['Category', ['Gold', 'Silver', 'Bronze'], 'Category · Gold or other'],
  ['Kind', ['A', 'B'], 'Kind · A, B or other'],
])('the label of %s, which accepts other texts, names its first choices', (name, options, label) => {
  const part = makePart('select', { id: '1', name, options, allowOther: true });
  expect([...fieldLabels([part]).values()]).toEqual([label]);
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
