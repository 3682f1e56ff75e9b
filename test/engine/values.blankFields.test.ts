import type { IDataObject } from 'n8n-workflow';

import { mapperFields } from '../../nodes/ApplicationDataService/editor/partLists';
import { makePart } from '../unit/parts/support/parts';
import { rowOf } from './support/rows';
import { mapped } from './support/saved';
import { each, testTable, type Row } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

/** What the first record, whose price is 1200, has in a part then; `null` for nothing. */
const then = (part: string, value: unknown): Pick<Row, 'after'> => ({
  after: async () => expect((await place.storedAt())?.values[part] ?? null).toEqual(value),
});
const allBy: RunSettings = { parts: mapped('={{ $json }}') };

/** Files that are null change nothing. */
const NOTHING = [{ Price: '={{ $json.nope }}' }, { Photo: '={{ null }}' }];
const looked = { update_data: 0, get_data: 1 };
const base = { operation: 'update', recordId: '1' };
testTable(place, base, {
  ...each(['', null, '=', '={{ }}', '={{}}', '= '])('a blank field is not sent: %s', (Price) => ({
    ...{ run: { values: { Name: 'Bolt', Price } }, ...then('Price', '1200') },
  })),
  ...each<readonly [string, IDataObject, string | null]>([
    ['={{ "" }}', {}, null],
    ['={{ null }}', {}, null],
    ['={{ $json.price }}', { price: '' }, null],
    ['={{ $json.price }}', { price: null }, null],
    ['={{ $json.price }}', { price: 0 }, '0'],
  ])('an expression counts: %s of %s', ([Price, json, stored]) => ({
    ...{ run: { values: { Name: 'Bolt', Price } }, items: [json], ...then('Price', stored) },
  })),
  ...each([
    ['Price', 0, '0'],
    ['Name', false, 'false'],
    ['Colours', [], null],
  ])('the literal is sent of %s: %s', ([part, literal, stored]) => ({
    ...{ run: { values: { [part]: literal } }, ...then(part, stored) },
  })),
  'a key that is not there is not sent, and a hint counts such fields': {
    run: { values: { Name: '={{ $json.name }}', Price: '={{ $json.price }}', Note: '={{ $json.note }}' } },
    items: [{ name: 'Screw' }],
    stored: [{ Name: 'Screw', Price: '1200' }, {}],
    hints: [/^Fields not sent because their expressions returned nothing: 2$/],
  },
  'an expression for all values empties what is empty': {
    ...{ run: allBy, items: [{ Price: '' }], ...then('Price', null) },
  },
  'Map Automatically likewise': { run: { values: null }, items: [{ Price: null }], ...then('Price', null) },
  'an update in which nothing is left to send is refused': {
    run: { values: { Price: '', Name: null } },
    ...{ error: /^There is no value to write$/, sent: { update_data: 0 } },
  },
  ...each(NOTHING)('nothing is left to send of %s: unchanged', (values) => ({
    ...{ run: { values }, outcomes: ['unchanged'], sent: looked },
  })),
  ...each(NOTHING)('nothing of %s, a conflict', (values) => ({
    ...{ run: { values, conflictPolicy: 'fail', revision: '7' }, error: /has revision 7/, sent: looked },
  })),
  ...each(NOTHING)('nothing of %s, no such record', (values) => ({
    ...{ run: { recordId: '999', values }, error: /^There is no record 999/, sent: { update_data: 0 } },
  })),
  'nothing is left to send of a row: unchanged': {
    application: { records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '2' }] }] },
    run: { operation: 'update', ...rowOf({ Item: '={{ $json.nope }}' }, { rowId: '1' }) },
    ...{ outcomes: ['unchanged'], sent: { update_data: 0 } },
  },
  'Parts to Empty always empties': {
    run: { values: { Price: '', Name: 'Bolt' }, options: { partsToEmpty: ['Price'] } },
    ...then('Price', null),
  },
  'a blank field of a row is not sent': {
    application: { records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '2' }] }] },
    run: rowOf({ Item: 'b', Qty: '' }, { rowId: '1' }),
    after: async () =>
      expect((await place.storedAt())?.values.Lines).toMatchObject([{ Item: 'b', Qty: '2' }]),
  },
});

test("a choice that was taken back in the editor's list is not sent", async () => {
  await place.open();
  const [Kind, Note] = [place.part('Kind'), place.part('Note')];
  const parts = [
    makePart('select', { id: Kind, name: 'Kind', options: ['Screw', 'Nut'] }),
    makePart('textbox', { id: Note, name: 'Note' }),
  ];
  const { fields: schema } = mapperFields(parts, '');
  const value = { [Kind]: '', [Note]: 'new' };
  const { json } = await place.update({
    parts: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
  });
  expect(json).toEqual([{ id: '1', outcome: 'updated' }]);
  const [sent] = await place.sent('update_data');
  expect([sent?.['{{Kind}}'], sent?.['{{Note}}']]).toEqual([undefined, 'new']);
});
