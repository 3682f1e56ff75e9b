import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace } from './support/workplace';

/** Records of a page, however many are asked for. */
const MOST = 50;
/** Two full pages, and one that is not. */
const ALL = 117;

jest.mock('../../nodes/ApplicationDataService/service/read/recordList', () => {
  const actual: { listParts: (...given: [unknown, unknown, { limit: number }]) => unknown } =
    jest.requireActual('../../nodes/ApplicationDataService/service/read/recordList');
  return {
    ...actual,
    listParts: (app: unknown, query: unknown, page: { limit: number }) =>
      actual.listParts(app, query, { ...page, limit: Math.min(page.limit, MOST) }),
  };
});

const numbers = Array.from({ length: ALL }, (_, n) => n);
const place = useWorkplace({ records: numbers.map((n) => ({ Name: `n${n}`, Price: String(n) })) });
const price = (operator: string, value: string): INodeParameters => ({ part: 'Price', operator, value });

/** Prices of the records that Get Many returns. */
async function prices(given: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const { json, error } = await place.run('getAll', given);
  expect(error).toBeUndefined();
  return json.map(({ Price }) => Price);
}

describe('a service that returns fewer records a page than the interface says', () => {
  test('Get Many returns all of them', async () => {
    expect(await prices({ returnAll: true })).toEqual(numbers);
  });

  test('Get Many returns as many as its limit', async () => {
    expect(await prices({ limit: 110 })).toEqual(numbers.slice(0, 110));
    expect(await prices({ limit: 1000 })).toEqual(numbers);
  });

  test('Get Many returns those that meet conditions, also in another order', async () => {
    const filters = { condition: [price('lt', '110')] };
    const sort = { by: { part: 'Price', order: 'desc' } };
    expect(await prices({ returnAll: true, filters })).toEqual(numbers.slice(0, 110));
    expect(await prices({ returnAll: true, filters, options: { sort } })).toEqual(
      numbers.slice(0, 110).reverse(),
    );
  });

  test('Get Many joins those that meet any condition', async () => {
    const filters = { condition: [price('lt', '5'), price('gte', '100')] };
    expect(await prices({ returnAll: true, match: 'any', filters })).toEqual(
      numbers.filter((n) => n < 5 || n >= 100),
    );
  });

  test.each(['csv', 'ndjson'])('Export writes all of them: %s', async (format) => {
    const { json, error } = await place.run('export', { format, binaryPropertyName: 'data' });
    expect(error).toBeUndefined();
    expect(json).toEqual([{ count: ALL }]);
  });

  test('the first page alone costs nothing more', async () => {
    await place.sandbox.clearLog();
    await place.run('getAll', { limit: MOST }, { input: itemsOf({}) });
    expect(await place.calls('list_data')).toHaveLength(1);
  });
});
