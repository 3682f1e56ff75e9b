import { fieldLabel, partLabel, typeName } from '../../../nodes/ApplicationDataService/editor/labels';
import { makePart } from '../parts/support/parts';

/** The key that n8n makes of a label for an AI tool's parameter. */
function toolKey(label: string): string {
  return label.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, 63);
}

describe('partLabel', () => {
  it('is the name with the ID', () => {
    expect(partLabel(makePart('textbox', { id: '101', name: 'Title' }))).toBe('Title (101)');
  });

  it.each([
    ['equal names', 'Title', 'Title'],
    ['names without a Latin letter', '会社名', '担当者'],
    ['long names that begin alike', `${'very '.repeat(20)}long A`, `${'very '.repeat(20)}long B`],
  ])('stays distinct for AI tools with %s', (_, one, other) => {
    const keys = [makePart('input_list', { name: one }), makePart('input_list', { name: other })]
      .flatMap((part) => [partLabel(part), fieldLabel(part)])
      .map(toolKey);
    expect(new Set(keys).size).toBe(4);
  });
});

it('fieldLabel says how to fill in what its field does not show', () => {
  expect(fieldLabel(makePart('number', { id: '1', name: 'Hours' }))).toBe('Hours (1)');
  expect(fieldLabel(makePart('files', { id: '2', name: 'Photos' }))).toBe(
    'Photos (2): names of binary fields',
  );
  const options = ['North', 'South'];
  expect(fieldLabel(makePart('checkbox', { id: '3', name: 'Regions', options }))).toBe(
    'Regions (3): one or more, by comma',
  );
  expect(fieldLabel(makePart('listbox', { id: '3', name: 'Regions', options, allowOther: true }))).toBe(
    'Regions (3): one, or a JSON list',
  );
});

it('typeName is the name of the type, as far as it is known', () => {
  expect(typeName(makePart('datetime'))).toBe('Date/time');
  expect(typeName(makePart('number', { reference: true }))).toBe('Number, from another application');
  expect(typeName(makePart('rel_field', { reference: true }))).toBe('Reference part in error');
  expect(typeName(makePart('hologram'))).toBe('hologram');
});
