import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import { valueFields } from '../../../../nodes/ApplicationDataService/service/write/form';
import { makePart } from '../../parts/support/parts';

const title = makePart('textbox', { name: 'Title', identifier: 'title' });
const item = makePart('textbox', { name: 'Item', identifier: 'item' });
const drawing = makePart('files', { name: 'Drawing', identifier: 'drawing' });
const lines = makePart('input_list', { name: 'Lines', identifier: 'lines', children: [item, drawing] });
const photo = makePart('files', { name: 'Photo', identifier: 'photo' });

const rows = [
  { id: '5', values: [{ part: item, value: { kind: 'text', text: 'a "b"' } as const }] },
  {
    values: [
      { part: item, value: { kind: 'text', text: 'c' } as const },
      { part: drawing, value: { kind: 'files', add: ['plan'], remove: ['8'] } as const },
    ],
  },
];

test.each<[string, EncodedPart, 'name' | 'identifier', object]>([
  [
    'a text by name',
    { part: title, value: { kind: 'text', text: '' } },
    'name',
    { fields: [['{{Title}}', '']] },
  ],
  [
    'a text by identifier',
    { part: title, value: { kind: 'text', text: 'x' } },
    'identifier',
    { fields: [['{{title}}', 'x']] },
  ],
  ['nothing', { part: photo, value: { kind: 'keep' } }, 'name', {}],
  [
    'files to add and to remove',
    { part: photo, value: { kind: 'files', add: ['data', 'photo'], remove: ['7'] } },
    'identifier',
    {
      uploads: ['data', 'photo'].map((binaryField) => ({ formField: '{{photo}}', binaryField })),
      removals: [['{{photo}}.del_attachment_id', '7']],
    },
  ],
  [
    'rows, existing ones with their ID, their files under the index of the row',
    { part: lines, value: { kind: 'rows', rows } },
    'name',
    {
      fields: [['{{Lines}}', '[{"Item":"a \\"b\\"","data_id":"5"},{"Item":"c"}]']],
      uploads: [{ formField: '{{Lines}}1.{{Drawing}}', binaryField: 'plan' }],
      removals: [['{{Lines}}1.{{Drawing}}.del_attachment_id', '8']],
    },
  ],
])('form fields of %s', (_, value, mode, expected) => {
  expect(valueFields([value], mode)).toEqual({ fields: [], uploads: [], removals: [], ...expected });
});
