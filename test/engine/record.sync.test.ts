import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace({
  records: [
    { Name: 'Bolt', Price: '1' },
    { Name: 'Nut', Price: '7' },
    { Name: 'Old', Price: '9' },
  ],
});

const byName = { values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' }, matchBy: ['Name'] };
const prices = async () =>
  Object.fromEntries<unknown>(
    (await place.stored()).map(({ values: { Name, Price } }) => [String(Name), Price]),
  );
const removing = { ...byName, missing: 'delete' };

test('creates, changes and keeps records, in the order of the items', async () => {
  const { items, hints } = await place.sync(byName, {
    input: itemsOf({ n: 'Nut', p: 8 }, { n: 'Cap', p: 2 }, { n: 'Bolt', p: '1.0' }),
  });
  expect(items).toEqual([
    { json: { id: place.record(1), outcome: 'updated' }, pairedItem: { item: 0 } },
    { json: { id: '4', outcome: 'created' }, pairedItem: { item: 1 } },
    { json: { id: place.record(0), outcome: 'unchanged' }, pairedItem: { item: 2 } },
  ]);
  expect(await prices()).toEqual({ Bolt: '1', Nut: '8', Old: '9', Cap: '2' });
  expect(hints.map(({ message }) => message)).toEqual([
    '1 created, 1 updated, 1 unchanged, 0 removed, 1 kept',
  ]);
  const [sent] = await place.sent('update_data');
  expect(sent).toMatchObject({ '{{revision}}': '1', '{{Price}}': '8' });
  expect(sent).not.toHaveProperty('{{Name}}');
});

test('removes records that are not in the input, after everything was written', async () => {
  const { items } = await place.sync(removing, {
    input: itemsOf({ n: 'Nut', p: 8 }, { n: 'Bolt', p: 1 }),
  });
  expect(items).toEqual([
    { json: { id: place.record(1), outcome: 'updated' }, pairedItem: { item: 0 } },
    { json: { id: place.record(0), outcome: 'unchanged' }, pairedItem: { item: 1 } },
    { json: { id: place.record(2), outcome: 'deleted', Name: 'Old' }, pairedItem: { item: 0 } },
  ]);
  expect(await prices()).toEqual({ Bolt: '1', Nut: '8' });
  expect((await place.actions()).slice(-3)).toEqual(['update_data', 'get_data', 'delete_data']);
});
