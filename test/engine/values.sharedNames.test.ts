import type { INodeExecutionData } from 'n8n-workflow';

import { mapped } from './support/saved';
import { each, testTable } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

/** Two parts of each kind share a name, so the service's answer does not say which of them a value belongs to. */
const place = useWorkplace(null);

const table = { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] };
const [photo, spot] = [
  { name: 'Photo', type: 'files' },
  { name: 'Place', type: 'textbox' },
];
const application = {
  parts: [{ name: 'Name', type: 'textbox' }, photo, photo, table, table, spot, spot],
  records: [{ Name: 'One' }, { Name: 'Two' }],
};
/** The IDs of one of each. */
const [PHOTO, LINES] = ['103', '104'];
const PLACE = '={{ $json.place }}';
const input: INodeExecutionData[] = [{ json: {} }];
const readPlace = async (): Promise<void> => {
  const { fields } = await place.sandbox.call('get_app', { app_id: place.app.id });
  const { item } = fields as { item: { id: string; name: string }[] };
  input[0]!.json.place = item.find(({ name }) => name === 'Place')!.id;
};
const row = mapped({ Item: 'x' });
const sort = { by: { part: PLACE, order: 'asc' } };
const onFile = (operation: string, more: RunSettings): RunSettings => ({
  ...{ operation, resource: 'attachment', attachmentPart: PHOTO, binaryPropertyName: 'data', ...more },
});
const onRow = (operation: string, more: RunSettings): RunSettings => ({
  ...{ operation, resource: 'tableRow', tablePart: LINES, ...more },
});
const contains = (operator: string) => ({ part: 'Name', operator, valueType: 'value', value: 'o' });

testTable(
  place,
  { recordId: '1' },
  {
    ...each([
      [onFile('download', { attachmentIds: '' }), `"Photo" (ID ${PHOTO}) cannot be read`],
      [onFile('upload', {}), `"Photo" (ID ${PHOTO}) cannot be written`],
      [onFile('delete', { attachmentIds: '1' }), `"Photo" (ID ${PHOTO}) cannot be written`],
      [onRow('getAll', {}), `"Lines" (ID ${LINES}) cannot be read`],
      [onRow('add', { row }), `"Lines" (ID ${LINES}) cannot be written`],
      [onRow('update', { row, rowId: '1' }), `"Lines" (ID ${LINES}) cannot be written`],
      [onRow('delete', { rowId: '1' }), `"Lines" (ID ${LINES}) cannot be written`],
    ] satisfies [RunSettings, string][])('one of them is refused: %s', ([run, message]) => ({
      ...{ run, error: `Part ${message}: another part has the same name`, sent: { update_data: 0 } },
    })),
    ...each(['get', 'getAll', 'export'])('none of them can be chosen to be returned by %s', (operation) => ({
      run: { operation, options: { partsToReturn: [PLACE] }, binaryPropertyName: 'data' },
      error: 'cannot be read: another part has the same name, "Place"',
    })),
    'the service sorts by one of them, because it is asked by ID': {
      ...{ run: { operation: 'getAll', returnAll: true, sort }, shows: [{}, {}] },
    },
    'the node itself refuses to sort by it': {
      run: {
        ...{ operation: 'getAll', returnAll: true, sort, match: 'any' },
        filters: { condition: ['contains', 'startsWith'].map(contains) },
      },
      error: 'cannot be read: another part has the same name, "Place"',
    },
  },
  { application, engine: { input }, before: readPlace },
);
