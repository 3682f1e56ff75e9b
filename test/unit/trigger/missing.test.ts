import { settle } from '../../../nodes/ApplicationDataService/util/concurrently';
import {
  newPollMemory,
  type PollContext,
  type PollMemory,
  type PollSettings,
  type RecordSource,
} from '../../../nodes/ApplicationDataService/trigger/poll/context';
import { MissingRecords } from '../../../nodes/ApplicationDataService/trigger/poll/deletions';
import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';
import type { TriggerState } from '../../../nodes/ApplicationDataService/trigger/state/triggerState';

const settings: PollSettings = {
  fingerprint: 'test',
  events: new Set(['created', 'updated', 'deleted']),
  credential: '',
  narrowed: false,
  watched: [],
  emitExisting: false,
  maxRecords: 10_000,
  overlap: 2,
};

/** A thousand records, of which a scan did not find the first ones. */
function missingFirst(count: number) {
  const records = new RecordTable();
  for (let id = 1; id <= 1000; id++) records.set(String(id), { revision: 1, hashes: [] });
  for (let id = count + 1; id <= 1000; id++) records.meet(String(id));
  records.sweep(-1, Infinity);
  const state: TriggerState = {
    fingerprint: 'test',
    credential: '',
    records,
    baseline: null,
    scan: null,
    waiting: new Map(),
    settling: true,
    postponed: false,
    quick: null,
    lastFullScan: 5,
    watched: [],
    turn: 0,
    failing: 0,
  };
  return state;
}

/** Polls once. All records are deleted. A read is one call; checking whether the service answers well takes two. */
async function pollOnce(
  state: TriggerState,
  {
    failing = () => false,
    answersWell = async () => await Promise.resolve(true),
    isRunning = () => true,
    calls: most = 1e6,
    memory = newPollMemory(5),
  }: {
    failing?: (id: string) => boolean;
    answersWell?: () => Promise<boolean>;
    /** Read after records were refused. */
    isRunning?: () => boolean;
    calls?: number;
    memory?: PollMemory;
  },
) {
  let calls = 0;
  const reads: string[] = [];
  const unused = async () => await Promise.reject(new Error('is not asked for'));
  const source: RecordSource<unknown> = {
    list: unused,
    byIds: unused,
    waitedMs: () => 0,
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
    assertRunning: async () => {
      calls++;
      if (!isRunning()) throw new Error('The application is under maintenance');
      await Promise.resolve();
    },
    troubleOf: (failure) => (String(failure).includes('HTTP 500') ? 'record' : 'service'),
  };
  const warnings: string[] = [];
  const context: PollContext<unknown, string> = {
    state,
    source,
    settings,
    budget: { left: () => most - calls },
    memory,
    deliver: async ({ id }) => await Promise.resolve({ item: id }),
    warn: (message) => void warnings.push(message),
    now: 0,
    emitted: [],
  };
  const outcome = await settle(async () => await new MissingRecords(context.budget, context).settle(10_000));
  const failure = 'error' in outcome ? (outcome.error as Error).message : undefined;
  return {
    deleted: context.emitted.map(({ id }) => id),
    done: !state.settling,
    failure,
    reads,
    calls,
    warnings,
  };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test('an unreadable record does not keep others from being settled', async () => {
  const state = missingFirst(150);
  const memory = newPollMemory(5);
  const failing = (id: string) => id === '2' || id === '50';
  const { deleted, failure, warnings } = await pollOnce(state, { failing, memory });
  expect(deleted).toEqual(numbers(1, 150).filter((id) => !failing(id)));
  expect(failure).toBeUndefined();
  expect(warnings.join()).toContain('Record 2 is missing from the list, and reading it fails');
  expect(state.records.missing()).toEqual(['2', '50']);
  // It is logged once, and read again.
  const again = await pollOnce(state, { failing, memory });
  expect([again.deleted, again.warnings, again.reads.length]).toEqual([[], [], 2]);
  expect(await pollOnce(state, { memory })).toMatchObject({ deleted: ['2', '50'], done: true });
});

test('many unreadable records in a row hold up others for at most one poll', async () => {
  const state = missingFirst(120);
  const memory = newPollMemory(5);
  const failing = (id: string) => Number(id) <= 60;
  const first = await pollOnce(state, { failing, memory });
  const second = await pollOnce(state, { failing, memory });
  expect([...first.deleted, ...second.deleted]).toEqual(numbers(61, 120));
});

test('a service that is down costs a few reads, and nothing changes', async () => {
  const down = async () => await Promise.reject(new Error('down'));
  const state = missingFirst(300);
  const { deleted, failure, reads } = await pollOnce(state, { failing: () => true, answersWell: down });
  expect([deleted, failure]).toEqual([[], 'down']);
  expect(reads.length).toBeLessThanOrEqual(4);
  expect(state.records.missingSize).toBe(300);
});

test('nothing is reported as deleted if other records are refused, too', async () => {
  const state = missingFirst(300);
  const refuses = async () => await Promise.resolve(false);
  const { deleted, failure, warnings } = await pollOnce(state, { answersWell: refuses });
  expect([deleted, failure]).toEqual([[], undefined]);
  expect(warnings.join()).toContain('nothing is reported as deleted');
});

test('nothing is reported as deleted under maintenance, which is checked after each portion', async () => {
  const state = missingFirst(300);
  let portions = 0;
  const isRunning = () => ++portions < 3;
  const { deleted, failure } = await pollOnce(state, { isRunning });
  expect(deleted).toEqual(numbers(1, 12));
  expect(failure).toBe('The application is under maintenance');
  expect(state.records.size).toBe(988);
});

test('each poll settles some, however little time it has', async () => {
  for (const most of [11, 60]) {
    const state = missingFirst(300);
    const all: string[] = [];
    for (let polls = 0; state.records.missingSize > 0; polls++) {
      expect(polls).toBeLessThan(300);
      const least = Math.min(state.records.missingSize, 4);
      const outcome = await pollOnce(state, { calls: most });
      expect(outcome.deleted.length).toBeGreaterThanOrEqual(least);
      all.push(...outcome.deleted);
    }
    expect(all.sort((one, other) => Number(one) - Number(other))).toEqual(numbers(1, 300));
  }
});

test('hundreds of deletions need few checks of the application', async () => {
  const { deleted, calls } = await pollOnce(missingFirst(499), {});
  expect(deleted).toHaveLength(499);
  expect(calls).toBeLessThanOrEqual(2 * 499 + 8 * 3);
});
