import {
  newPollMemory,
  readPage,
  type RecordSource,
} from '../../../../nodes/ApplicationDataService/trigger/poll/context';
import { PageSize } from '../../../../nodes/ApplicationDataService/trigger/poll/time';

const MOST = 5000;

const LIST = { order: 'id', offset: 0 } as const;

/** A source of lists in which a call is late. */
function sourceOf(
  late: Error,
  waitedMs: () => number,
  list: RecordSource<unknown>['list'],
): RecordSource<unknown> {
  const troubleOf = (failure: unknown) => (failure === late ? 'late' : 'service');
  return { troubleOf, waitedMs, list } as RecordSource<unknown>;
}

/** A poll of a minute in which a page first waits for its turn at the service, and then takes its time. */
function poll() {
  let now = 0;
  let waited = 0;
  const memory = newPollMemory(MOST);
  const late = new Error('late');
  const budget = { left: () => 60_000 - now };
  const read = async (waitMs: number, costMs: number, isLate = false) => {
    const list = async () => {
      waited += waitMs;
      now += waitMs + costMs;
      return isLate ? await Promise.reject(late) : [];
    };
    return await readPage({ source: sourceOf(late, () => waited, list), budget, memory }, LIST);
  };
  return { size: memory.versions, budget, read, late };
}

test('a page that was late because it waited for its turn is not requested with fewer records', async () => {
  const { size, budget, read, late } = poll();
  await expect(read(29_000, 1000, true)).rejects.toBe(late);
  expect(size.next(budget).limit).toBe(MOST);

  const slow = poll();
  await expect(slow.read(0, 30_000, true)).rejects.toBe(slow.late);
  expect(slow.size.next(slow.budget).limit).toBeLessThan(MOST);
});

test('a shorter page is not worth a try in the last moments of a poll', () => {
  const size = new PageSize(MOST);
  expect(size.wasLate(MOST, 1000, { left: () => 201 })).toBe(true);
  expect(size.wasLate(MOST, 1000, { left: () => 200 })).toBe(false);
});

test('no page is shorter than two records, which overlap and go on', () => {
  const size = new PageSize(MOST);
  expect(size.wasLate(3, 1000, { left: () => 60_000 })).toBe(true);
  expect(size.wasLate(2, 1000, { left: () => 60_000 })).toBe(false);
});

/** Reads a list in polls of `pollMs` milliseconds. @returns the number of polls, and the final length of a page. */
async function readAll(records: number, pollMs: number, cost: (records: number) => number) {
  const memory = newPollMemory(MOST);
  const size = memory.versions;
  const late = new Error('late');
  let polls = 0;
  for (let read = 0; read < records; polls++) {
    if (polls > 1000) return { polls: Infinity, limit: 0 };
    let left = pollMs;
    const budget = { left: () => left };
    size.begin();
    const list: RecordSource<unknown>['list'] = async ({ limit, withinMs }) => {
      const needs = cost(Math.min(limit, records - read));
      left -= Math.min(needs, withinMs);
      return needs > withinMs ? await Promise.reject(late) : [];
    };
    for (let isFirst = true; read < records && (isFirst || left > 0); isFirst = false) {
      const source = sourceOf(late, () => 0, list);
      const page = await readPage({ source, budget, memory }, LIST).catch(() => null);
      if (page === null) break;
      read += page.limit;
    }
  }
  return { polls, limit: size.next({ left: () => pollMs }).limit };
}

/** n8n allows a poll about 29 s in its durable engine, and 240 s in its usual one. An activation waits 18 s. */
describe.each([18_000, 28_800, 240_000])('a slow list, in polls of %i ms', (pollMs) => {
  const seconds = pollMs / 1000;

  it.each([
    ['17 s at full length', (records: number) => 200 + records * 3.4],
    ['twice the time of a poll at full length', (records: number) => 200 + (records * pollMs * 2) / MOST],
    ['twenty times that', (records: number) => 200 + (records * pollMs * 20) / MOST],
    ['most of the time, and a little for each record', (records: number) => pollMs * 0.55 + records * 0.5],
    ['most of the time, however short it is', () => pollMs * 0.7],
  ])('is read to its end if a page takes %s', async (_, cost) => {
    const { polls, limit } = await readAll(100_000, pollMs, cost);
    const least = Math.max(20, (cost(MOST) * 20) / 1000 / seconds);
    expect(polls).toBeLessThan(least * 4);
    expect(limit).toBeGreaterThan(2);
  });

  it('is not if a page of two takes longer than a poll', async () => {
    const { polls } = await readAll(100, pollMs, () => pollMs * 1.1);
    expect(polls).toBe(Infinity);
  });
});

test('shortened pages are as long as before once the service is fast again', () => {
  const { size, budget } = poll();
  for (let limit = MOST; limit > 300; limit /= 2) size.wasLate(limit, 1000, budget);
  for (let polls = 0; polls < 5; polls++) {
    size.begin();
    for (let pages = 0; pages < 3; pages++) size.arrived(size.next(budget).limit, 10, true);
  }
  expect(size.next(budget).limit).toBe(MOST);
});

test('a page that took hours, as on a machine that was suspended, makes no later page shorter', async () => {
  const { size, budget, read } = poll();
  await read(0, 50_000);
  expect(size.next(budget).limit).toBe(MOST);
  const next = { left: () => 60_000 };
  expect(size.next(next)).toEqual({ limit: MOST, withinMs: 30_000 });
});
