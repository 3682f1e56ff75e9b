import { byName, COF, GOODS, list, removing } from './support/syncRuns';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

/** How Sync writes, whatever the service returns. */
const place = useWorkplace({ records: GOODS });

test('a choice that is no longer offered may be written back to the record that contains it', async () => {
  await place.sandbox.changeRecord(place.app.id, place.record(0), { Kind: 'Screw' });
  await place.sandbox.changeApplication(place.app.id, { parts: { Kind: { options: ['Nut'] } } });
  const settings: RunSettings = { values: { Name: '={{ $json.n }}', Kind: 'Screw' }, matchBy: ['Name'] };
  const { json } = await place.sync(settings, { input: itemsOf({ n: 'Bolt' }, { n: 'Nut' }), node: COF });
  expect(json).toEqual([
    { id: '1', outcome: 'unchanged' },
    expect.objectContaining({ error: expect.stringMatching(/is not one of the options/) as string }),
  ]);
});

test.each([
  { listRevision: 'never' },
  { ids: 'number', counts: 'number' },
  { emptyList: 'error', singleItem: 'object' },
  { numbers: 'separators' },
])('with another dialect: %o', async (dialect) => {
  await place.sandbox.setDialect(dialect);
  const { json } = await place.sync(removing, { input: list });
  expect(json.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['1', 'updated'],
    ['2', 'unchanged'],
    ['5', 'unchanged'],
    ['3', 'deleted'],
    ['4', 'deleted'],
  ]);
  expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('1');
  const again = await place.sync(removing, { input: list });
  expect(again.json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

test('Dry Run shows what would be created and changed', async () => {
  const { json } = await place.sync(
    { ...byName, options: { dryRun: true } },
    { input: itemsOf({ n: 'Bolt', p: 2 }, { n: 'Cap', p: 1 }, { n: 'Nut', p: 7 }) },
  );
  expect(json).toEqual([
    expect.objectContaining({
      id: '1',
      outcome: 'updated',
      dryRun: true,
      changes: { Price: { from: 1, to: 2 } },
    }),
    expect.objectContaining({ outcome: 'created', changes: { Name: { to: 'Cap' }, Price: { to: 1 } } }),
    { id: '2', outcome: 'unchanged', dryRun: true, request: {}, changes: {} },
  ]);
  expect(json[1]).not.toHaveProperty('id');
  expect(await place.actions()).not.toEqual(expect.arrayContaining(['update_data']));
});

test('records without changes cost only reads, however many items', async () => {
  const records = Array.from({ length: 6000 }, (_, index) => ({ Name: `N${index}`, Price: String(index) }));
  await place.open({ records });
  await place.sandbox.clearStatistics();
  const input = itemsOf(...records.map((_, index) => ({ Name: `N${index}`, Price: index })));
  const { json } = await place.sync({ ...removing, values: null }, { input });
  expect(new Set(json.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  const { callsByAction } = await place.sandbox.statistics();
  expect(callsByAction).toEqual({ get_app: 2, list_data: 2, count_data: 1 });
});

test('a hundred changes and ten removals among ten thousand: few other requests', async () => {
  const records = Array.from({ length: 10_000 }, (_, index) => ({ Name: `N${index}`, Price: '1' }));
  await place.open({ records });
  await place.sandbox.clearStatistics();
  const input = itemsOf(
    ...records
      .slice(10)
      .map(({ Name }, index) => ({ Name, Price: index % 100 === 0 && index < 9999 ? 2 : 1 })),
  );
  const { json } = await place.sync({ ...removing, values: null }, { input });
  expect(json.filter(({ outcome }) => outcome === 'deleted')).toHaveLength(10);
  const { callsByAction } = await place.sandbox.statistics();
  expect(callsByAction).toEqual({
    get_app: 2,
    list_data: 3,
    count_data: 1,
    update_data: 100,
    get_data: 10,
    delete_data: 1,
  });
});
