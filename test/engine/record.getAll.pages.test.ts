import { itemsOf, useWorkplace } from './support/workplace';

/** The most records of a page, whatever the limit. */
const MOST = 3;

jest.mock('../../nodes/ApplicationDataService/service/read/recordList', () => {
  const actual: { listEntries: (...args: [unknown, unknown, { limit: number }]) => unknown } =
    jest.requireActual('../../nodes/ApplicationDataService/service/read/recordList');
  return {
    ...actual,
    listEntries: (app: unknown, query: unknown, page: { limit: number }) =>
      actual.listEntries(app, query, { ...page, limit: Math.min(page.limit, MOST) }),
  };
});

const place = useWorkplace({
  records: Array.from({ length: 10 }, (_, index) => ({ Name: `N${index}`, Price: String(index) })),
});

const dear = { condition: [{ part: 'Price', operator: 'gt', value: '5' }] };

test.each([{ limit: 3 }, { limit: 50 }, { returnAll: true }])(
  'records that only the node can tell are found past a page shorter than requested: %o',
  async (parameters) => {
    const { json, error, hints } = await place.run('getAll', { filters: dear, ...parameters });
    expect(error).toBeUndefined();
    expect(json.map(({ Name }) => Name)).toEqual(['N6', 'N7', 'N8', 'N9'].slice(0, parameters.limit));
    expect(hints).toHaveLength(parameters.limit === 3 ? 0 : 1);
  },
);

test('a service that refuses the revision by name is asked for it once', async () => {
  const refusal = { kind: 'ng', errorno: -1, message: 'There is no part revision', times: 1 } as const;
  await place.sandbox.setFaults([{ ...refusal, action: 'list_data' }]);
  const { json, error } = await place.run('getAll', { returnAll: true });
  expect(error).toBeUndefined();
  expect(json).toHaveLength(10);
  const asked = (await place.sent('list_data')).map(({ fields = '' }) => fields.includes('revision'));
  expect(asked.length).toBeGreaterThan(4);
  expect(asked).toEqual(asked.map((_, index) => index === 0));
});

test('a list without records does not tell that the service knows the revision by name', async () => {
  const refusal = { kind: 'ng', errorno: -1, message: 'There is no part revision', times: 1 } as const;
  await place.sandbox.setFaults([{ ...refusal, action: 'list_data', skip: 1 }]);
  const condition = [{ part: 'Name', operator: 'equals', value: '={{ $json.name }}' }];
  const input = itemsOf({ name: 'nobody' }, { name: 'N7' });
  const { json, error } = await place.run('getAll', { filters: { condition }, limit: 3 }, { input });
  expect(error).toBeUndefined();
  expect(json.map(({ Name }) => Name)).toEqual(['N7']);
});
