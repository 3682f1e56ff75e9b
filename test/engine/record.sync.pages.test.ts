import { named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { useWorkplace } from './support/workplace';

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

const place = useWorkplace(null);

test('a service that returns fewer records in a page than requested: the rest is read, and nothing is created twice', async () => {
  await openNamed(place);
  const { json, error } = await place.sync(removingNamed, { input: named(...NAMES.slice(1)) });
  expect(error).toBeUndefined();
  expect(json.map(({ outcome }) => outcome)).toEqual([...NAMES.slice(1).map(() => 'updated'), 'deleted']);
  expect(await place.stored()).toHaveLength(NAMES.length - 1);
  expect((await place.calls('list_data')).length).toBeGreaterThan(NAMES.length / MOST);
});
