import { valueFields } from '../../../../nodes/ApplicationDataService/service/write/form';
import { makePart } from '../../parts/support/parts';

const title = makePart('textbox', { name: 'Title', identifier: 'title' });
const item = makePart('textbox', { name: 'Item', identifier: 'item' });
const drawing = makePart('files', { name: 'Drawing', identifier: 'drawing' });
const lines = makePart('input_list', { name: 'Lines', identifier: 'lines', children: [item, drawing] });
const photo = makePart('files', { name: 'Photo', identifier: 'photo' });

test.each([
  ['name', '{{Title}}'],
  ['identifier', '{{title}}'],
] as const)('keyed by %s', (mode, field) => {
  const { fields } = valueFields([{ part: title, value: { kind: 'text', text: '' } }], mode);
  expect(fields).toEqual([[field, '']]);
});

test('a value that says nothing is not sent', () => {
  expect(valueFields([{ part: photo, value: { kind: 'keep' } }], 'name')).toEqual({
    fields: [],
    uploads: [],
    removals: [],
  });
});

test('files are uploaded and removed under the name of their part', () => {
  const value = { kind: 'files', add: ['data', 'photo'], remove: ['7'] } as const;
  expect(valueFields([{ part: photo, value }], 'identifier')).toEqual({
    fields: [],
    uploads: [
      { formField: '{{photo}}', binaryField: 'data' },
      { formField: '{{photo}}', binaryField: 'photo' },
    ],
    removals: [['{{photo}}.del_attachment_id', '7']],
  });
});

test('rows are JSON by child key, existing ones with their id, their files under the index of the row', () => {
  const rows = [
    { id: '5', values: [{ part: item, value: { kind: 'text', text: 'a "b"' } as const }] },
    {
      values: [
        { part: item, value: { kind: 'text', text: 'c' } as const },
        { part: drawing, value: { kind: 'files', add: ['plan'], remove: [] } as const },
      ],
    },
  ];
  expect(valueFields([{ part: lines, value: { kind: 'rows', rows } }], 'name')).toEqual({
    fields: [['{{Lines}}', '[{"Item":"a \\"b\\"","data_id":"5"},{"Item":"c"}]']],
    uploads: [{ formField: '{{Lines}}1.{{Drawing}}', binaryField: 'plan' }],
    removals: [],
  });
});
