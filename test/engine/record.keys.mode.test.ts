import { TriggerEngine } from '../support/triggerEngine';
import { useWorkplace } from './support/workplace';

/** No record shows that identifiers are the keys of parts. */
const place = useWorkplace({
  partIdentifierMode: true,
  systemIdentifiers: { id: 'record_id' },
  parts: [
    { name: 'Name', type: 'textbox', identifier: 'name' },
    { name: 'Price', type: 'number', identifier: 'price' },
  ],
  records: [],
});

/** The field names in all calls. A service in identifier mode may refuse a `field_name`. */
async function namedFields(): Promise<string[]> {
  const calls = await place.sandbox.log();
  return calls.flatMap(({ parameters }) => parameters.filter(([name]) => name === 'fields')).map(String);
}

const byPrice = { filters: { condition: [{ part: 'Price', operator: 'gt', value: '1' }] } };

test.each([
  ['Get Many', 'getAll', { options: { partsToReturn: ['Name'] } }, []],
  ['Get Many with conditions of both kinds', 'getAll', { match: 'any', ...byPrice }, []],
  ['Get Many with a keyword', 'getAll', { options: { keyword: 'bolt', keywordParts: ['Name'] } }, []],
  ['Count with a keyword', 'count', { options: { keyword: 'bolt', keywordParts: ['Name'] } }, [{ count: 0 }]],
  ['Count with conditions of the node', 'count', byPrice, [{ count: 0 }]],
  ['Export', 'export', { format: 'ndjson' }, [{ count: 0 }]],
  [
    'Delete',
    'delete',
    { recordId: '7' },
    [{ deleted: false, ids: [], notFound: ['7'], outcome: 'notFound' }],
  ],
])('%s names no parts as long as the key mode is unknown', async (_, operation, settings, expected) => {
  const { json } = await place.run(operation, settings);
  expect(json).toEqual(expected);
  expect(await namedFields()).toEqual([]);
});

test.each([{}, { watchParts: ['Price'] }, { options: { keyword: 'bolt', keywordParts: ['Name'] } }])(
  'a trigger waits for the first record without naming parts, and then reports it: %j',
  async (settings) => {
    const { baseUrl, accessKey } = place.sandbox;
    const application = { __rl: true, mode: 'id', value: place.app.id };
    const trigger = new TriggerEngine(
      { baseUrl, accessKey },
      { application, events: ['created', 'updated'], ...settings },
    );
    expect(await trigger.activate()).toEqual([]);
    expect(await trigger.poll()).toEqual([]);
    expect(await namedFields()).toEqual([]);
    await place.sandbox.addRecords(place.app.id, [{ Name: 'bolt', Price: '3' }]);
    expect(await trigger.poll()).toMatchObject([{ event: 'created', name: 'bolt', price: 3 }]);
  },
);

test('the first record of a list shows the key mode', async () => {
  const addsOne = async (): Promise<unknown> =>
    await place.sandbox.addRecords(place.app.id, [{ Name: 'bolt', Price: '3' }]);
  await place.meanwhile({ action: 'list_data', skip: 1, times: 1 }, addsOne);
  const { error } = await place.run('getAll', {});
  expect(error?.message).toBe('The application "Goods" received its first record while it was being read');
  expect((await place.run('getAll', {})).json).toMatchObject([{ name: 'bolt', price: 3 }]);
});
