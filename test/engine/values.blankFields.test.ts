import { mapperFields } from '../../nodes/ApplicationDataService/editor/partLists';
import { makePart } from '../unit/parts/support/parts';
import { rowOf } from './support/rows';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace();

/** What became of the part Price, which is 1200 before. */
async function priceAfter(values: RunSettings['values'], json = {}): Promise<unknown> {
  await place.open();
  const { error } = await place.update({ values: { Name: 'Bolt', ...values } }, { input: itemsOf(json) });
  expect(error).toBeUndefined();
  return (await place.storedAt())?.values.Price ?? null;
}

test.each(['', null, '=', '={{ }}', '={{}}', '= '])('the blank field %j is not sent', async (blank) => {
  expect(await priceAfter({ Price: blank })).toBe('1200');
});

test.each<[string, object, string | null]>([
  ['={{ "" }}', {}, null],
  ['={{ null }}', {}, null],
  ['={{ $json.price }}', { price: '' }, null],
  ['={{ $json.price }}', { price: null }, null],
  ['={{ $json.price }}', { price: 0 }, '0'],
])('what the expression %s returns counts: %j', async (price, json, stored) => {
  expect(await priceAfter({ Price: price }, json)).toBe(stored);
});

test.each([
  [0, { Price: '0' }],
  [false, { Name: 'false' }],
  [[], { Colours: undefined }],
])('the literal %j is sent', async (literal, stored) => {
  await place.open();
  const [name] = Object.keys(stored);
  await place.update({ values: { [name!]: literal } });
  expect((await place.storedAt())?.values[name!] ?? undefined).toEqual(Object.values(stored)[0]);
});

test('a key that is not there is not sent, and a hint counts such fields', async () => {
  const values = { Name: '={{ $json.name }}', Price: '={{ $json.price }}', Note: '={{ $json.note }}' };
  const { hints } = await place.update({ values }, { input: itemsOf({ name: 'Screw' }) });
  expect((await place.storedAt())?.values).toMatchObject({ Name: 'Screw', Price: '1200' });
  expect(hints.map(({ message }) => message)).toEqual([
    'Fields not sent because their expressions returned nothing: 2',
  ]);
});

test('an expression for all values, and Map Automatically, empty what is empty', async () => {
  await place.open();
  const parts = { mappingMode: 'defineBelow', value: '={{ $json }}', matchingColumns: [], schema: [] };
  await place.update({ parts }, { input: itemsOf({ Price: '' }) });
  expect((await place.storedAt())?.values.Price ?? null).toBeNull();
  await place.update({ values: null, recordId: place.record(1) }, { input: itemsOf({ Price: null }) });
  expect((await place.storedAt(1))?.values.Price ?? null).toBeNull();
});

test('an update in which nothing is left to send is refused', async () => {
  const { error } = await place.update({ values: { Price: '', Name: null } });
  expect(error?.message).toBe('There is no value to write');
  expect(await place.calls('update_data')).toEqual([]);
});

test('Parts to Empty always empties', async () => {
  await place.open();
  await place.update({ values: { Price: '', Name: 'Bolt' }, options: { partsToEmpty: ['Price'] } });
  expect((await place.storedAt())?.values.Price ?? null).toBeNull();
});

test('a blank field of a row is not sent', async () => {
  await place.open({ records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '2' }] }] });
  const row = rowOf({ Item: 'b', Qty: '' }, { recordId: place.record(), rowId: '1' });
  const { error } = await place.run('update', row);
  expect(error).toBeUndefined();
  expect((await place.storedAt())?.values.Lines).toMatchObject([{ Item: 'b', Qty: '2' }]);
});

test("a choice that was taken back in the editor's list is not sent", async () => {
  await place.open();
  const parts = [
    makePart('select', { id: place.part('Kind'), name: 'Kind', options: ['Screw', 'Nut'] }),
    makePart('textbox', { id: place.part('Note'), name: 'Note' }),
  ];
  const value = { [place.part('Kind')]: '', [place.part('Note')]: 'new' };
  const { fields: schema } = mapperFields(parts, '');
  const { error } = await place.update({
    parts: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
  });
  expect(error).toBeUndefined();
  expect((await place.sent('update_data')).map((fields) => [fields['{{Kind}}'], fields['{{Note}}']])).toEqual(
    [[undefined, 'new']],
  );
  expect((await place.storedAt())?.values.Note).toBe('new');
});
