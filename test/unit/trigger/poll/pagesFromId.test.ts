import type { ReadContext } from '../../../../nodes/ApplicationDataService/trigger/poll/context';
import { PagesFromId } from '../../../../nodes/ApplicationDataService/trigger/poll/pagesFromId';
import { newPollMemory } from '../../../../nodes/ApplicationDataService/trigger/poll/pageSize';
import type { Head } from '../../../../nodes/ApplicationDataService/trigger/poll/recordSource';

const MOST = 1000;
const POLL_MS = 60_000;
/** Half of the poll. */
const WITHIN_MS = 30_000;

/** A page that is requested at the beginning of a poll, needed later, and arrives too late. */
async function lateAhead(wantedAtMs: number) {
  const late = new Error('late');
  let now = 0;
  let fail: (failure: Error) => void = () => undefined;
  const budget = { left: () => POLL_MS - now };
  const memory = newPollMemory(MOST);
  const context = {
    budget,
    memory,
    state: { baseline: null, records: { presentSize: 1 } },
    source: {
      isLate: (failure: unknown) => failure === late,
      waitedMs: () => 0,
      heads: async () => await new Promise<Head[]>((_, reject) => (fail = reject)),
    },
  };
  const ahead = new PagesFromId(budget, context as unknown as ReadContext);
  ahead.ask({ offset: 0, from: null }, MOST, MOST);
  now = wantedAtMs;
  const taken = ahead.take(0, null);
  now = WITHIN_MS;
  fail(late);
  return { page: await taken, limit: memory.heads.next(budget).limit };
}

test('a late page whose time the page before it used is requested again at the same length', async () => {
  expect(await lateAhead(25_000)).toEqual({ page: null, limit: MOST });
});

test('a late page that used the time itself is requested again with fewer records', async () => {
  expect(await lateAhead(0)).toEqual({ page: null, limit: MOST / 2 });
});
