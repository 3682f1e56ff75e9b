import {
  newPollMemory,
  type ReadContext,
  type RecordSource,
  type WholeRecord,
} from '../../../../nodes/ApplicationDataService/trigger/poll/context';
import { readWhole } from '../../../../nodes/ApplicationDataService/trigger/poll/readWhole';

const whole = (id: string): WholeRecord<string> => ({
  id,
  revision: 1,
  hashes: [],
  record: `record ${id}`,
  updated: '',
});

/**
 * Reads records of one page whole, and counts the calls: of lists, by IDs, one by one.
 * @param most records that a list of whole records returns
 */
async function readOnPage(count: number, more: Partial<RecordSource<string>> = {}, most = 5000) {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  const calls = { lists: 0, byIds: 0, reads: 0 };
  const source: Partial<RecordSource<string>> = {
    list: async ({ offset, limit }) =>
      await Promise.resolve((calls.lists++, ids.slice(offset, offset + limit).map(whole))),
    byIds: async (asked) => await Promise.resolve((calls.byIds++, asked.map(whole))),
    read: async (id) => await Promise.resolve((calls.reads++, whole(id))),
    troubleOf: () => 'record',
    waitedMs: () => 0,
  };
  const budget = { left: () => 60_000 };
  const context = { source: { ...source, ...more }, budget, memory: newPollMemory(most) };
  const candidates = ids.map((id) => ({ id, version: null, revision: 1, known: undefined, offset: 0 }));
  const { records } = await readWhole(candidates, budget, context as unknown as ReadContext<string>);
  return { calls, read: records.size };
}

test.each([
  [200, { lists: 1, byIds: 0, reads: 0 }],
  [199, { lists: 0, byIds: 2, reads: 0 }],
  [100, { lists: 0, byIds: 1, reads: 0 }],
  [5, { lists: 0, byIds: 1, reads: 0 }],
  [4, { lists: 0, byIds: 0, reads: 4 }],
])('%d records of a page are read in %j', async (count, calls) => {
  expect(await readOnPage(count)).toEqual({ calls, read: count });
});

test('a page that has become too long is read in several', async () => {
  expect(await readOnPage(250, {}, 100)).toEqual({ calls: { lists: 3, byIds: 0, reads: 0 }, read: 250 });
});

describe('where the service lists no IDs', () => {
  const askedFor: number[] = [];
  const byIds: RecordSource<string>['byIds'] = async (ids) =>
    await Promise.resolve((askedFor.push(ids.length), []));
  beforeEach(() => void askedFor.splice(0));

  test.each([
    [20, { lists: 1, byIds: 0, reads: 0 }],
    [19, { lists: 0, byIds: 0, reads: 19 }],
    [150, { lists: 1, byIds: 0, reads: 0 }],
  ])('%d records of a page are read in %j, after one question', async (count, calls) => {
    expect(await readOnPage(count, { byIds })).toEqual({ calls, read: count });
    expect(askedFor).toEqual([Math.min(count, 100)]);
  });
});
