import { settleMissing } from '../../../nodes/ApplicationDataService/trigger/poll/missing';
import type { PollSettings } from '../../../nodes/ApplicationDataService/trigger/poll/settings';
import type { RecordSource } from '../../../nodes/ApplicationDataService/trigger/poll/recordSource';
import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';
import type { TriggerState } from '../../../nodes/ApplicationDataService/trigger/state/triggerState';

const settings: PollSettings = {
  fingerprint: 'test',
  events: new Set(['created', 'updated', 'deleted']),
  narrowed: false,
  watchesParts: false,
  emitExisting: false,
  maxRecords: 10_000,
  paging: { length: 5, overlap: 2 },
};

/** A thousand records of which a scan did not meet the first ones. */
function missingFirst(count: number) {
  const records = new RecordTable();
  for (let id = 1; id <= 1000; id++) records.set(String(id), { revision: 1, hash: 0 });
  for (let id = count + 1; id <= 1000; id++) records.markSeen(String(id));
  const state: TriggerState = {
    fingerprint: 'test',
    records,
    baseline: null,
    scan: { phase: 'missing', offset: 0, tail: [], newest: '' },
    heldBack: false,
    quick: null,
    lastFullScan: 5,
  };
  return state;
}

/** Polls once. Every record is gone; a read is a call, a look whether the service answers well two. */
async function pollOnce(
  state: TriggerState,
  {
    failing = () => false,
    answersWell = async () => await Promise.resolve(true),
    calls: most = Infinity,
  }: {
    failing?: (id: string) => boolean;
    answersWell?: () => Promise<boolean>;
    calls?: number;
  },
) {
  let calls = 0;
  const reads: string[] = [];
  const unused = async () => await Promise.reject(new Error('is not asked for'));
  const source: RecordSource<unknown> = {
    heads: unused,
    lastIds: unused,
    page: unused,
    newest: unused,
    byIds: unused,
    read: async (id) => {
      calls++;
      reads.push(id);
      await new Promise((resolve) => setImmediate(resolve));
      if (failing(id)) throw new Error(`HTTP 500 for ${id}`);
      return null;
    },
    answersWell: async () => {
      calls += 2;
      return await answersWell();
    },
  };
  const budget = { mayScan: () => calls < most, mayRead: () => calls < most };
  const outcome = await settleMissing(state, source, settings, budget, 10_000, () => undefined);
  const failure = outcome.failure instanceof Error ? outcome.failure.message : outcome.failure;
  return { deleted: outcome.changes.map(({ id }) => id), done: outcome.done, failure, reads, calls };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test('a record that cannot be read does not keep others from being settled', async () => {
  const state = missingFirst(150);
  const failing = (id: string) => id === '2' || id === '50';
  const { deleted, done, failure } = await pollOnce(state, { failing });
  expect(deleted).toEqual(numbers(1, 150).filter((id) => !failing(id)));
  // The scan is over, so that new records are met; the next one asks for these again.
  expect([done, failure]).toEqual([true, 'HTTP 500 for 2']);
  expect(state.records.missing(10)).toEqual(['2', '50']);

  state.records.clearSeen();
  for (const id of numbers(151, 1000)) state.records.markSeen(id);
  expect(await pollOnce(state, {})).toMatchObject({ deleted: ['2', '50'], done: true, failure: undefined });
});

test('several in a row that cannot be read do not, either', async () => {
  const state = missingFirst(60);
  const { deleted, failure } = await pollOnce(state, { failing: (id) => Number(id) <= 9 });
  expect(deleted).toEqual(numbers(10, 60));
  expect(failure).toBe('HTTP 500 for 1');
});

test('a service that is down costs a few reads, and leaves the scan open', async () => {
  const down = async () => await Promise.reject(new Error('down'));
  for (const answersWell of [down, async () => await Promise.resolve(false)]) {
    const state = missingFirst(300);
    const { deleted, done, failure, reads } = await pollOnce(state, { failing: () => true, answersWell });
    expect([deleted, done, failure]).toEqual([[], false, 'HTTP 500 for 1']);
    expect(reads.length).toBeLessThanOrEqual(4);
  }
  const one = await pollOnce(missingFirst(1), { failing: () => true, answersWell: down });
  expect([one.deleted, one.done]).toEqual([[], false]);
});

test('a poll is not spent on records that all fail', async () => {
  const { deleted, done, reads } = await pollOnce(missingFirst(300), { failing: () => true });
  expect([deleted, done]).toEqual([[], false]);
  expect(reads.length).toBeLessThanOrEqual(40);
});

test('a second look keeps to the time, and each poll settles some', async () => {
  for (const calls of [11, 60]) {
    const state = missingFirst(300);
    const all: string[] = [];
    for (let polls = 0; state.records.countMissing() > 0; polls++) {
      expect(polls).toBeLessThan(300);
      const least = Math.min(state.records.countMissing(), calls === 60 ? 20 : 4);
      const outcome = await pollOnce(state, { calls });
      expect(outcome.calls).toBeLessThanOrEqual(calls + 4);
      expect(outcome.deleted.length).toBeGreaterThanOrEqual(least);
      expect([outcome.done, outcome.failure]).toEqual([state.records.countMissing() === 0, undefined]);
      all.push(...outcome.deleted);
    }
    expect(all.sort((one, other) => Number(one) - Number(other))).toEqual(numbers(1, 300));
  }
});

test('those for whose second look there is no time stay missing', async () => {
  const state = missingFirst(4);
  const { deleted, done, failure } = await pollOnce(state, { calls: 6 });
  expect([deleted, done, failure]).toEqual([[], false, undefined]);
  expect(state.records.countMissing()).toBe(4);
});
