import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { SentCall, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { useSandbox } from './support/useSandbox';

/** Existing records, and those that are added later: enough for a page with all values. */
const RECORDS = 300;
const NEW = 220;

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(RECORDS) }, (own) => (sandbox = own));

/** Only newer versions of n8n say how long a poll may take. */
const it = CAPABILITIES.pollBudget() ? test : test.skip;

/** n8n's usual engine allows five minutes, the durable one 36 seconds. */
const ENGINES: Readonly<Record<string, TriggerOptions>> = {
  usual: { budgetMs: 300_000 },
  durable: { budgetMs: 36_000, isDurable: true },
};

const LATE = 'did not answer within the time limit of the poll';

/** Which lists are slow. */
const KINDS: Readonly<Record<string, (call: SentCall) => boolean>> = {
  heads: (call) => !isWhole(call) && !isNewest(call),
  'whole records': (call) => isWhole(call),
  'quick pages': (call) => isNewest(call),
};

function isWhole({ form }: SentCall): boolean {
  return form.get('fields')?.includes('State') !== false;
}

function isNewest({ form }: SentCall): boolean {
  return form.get('sort_order') === 'desc' && form.get('sort_field_id') !== '1';
}

/** A list of more than one record, which shows how parts are keyed. */
function isScan({ form }: SentCall): boolean {
  return form.get('limit') !== '1';
}

/** Milliseconds that a list of this many records takes. `pollMs` is n8n's limit for a poll. */
type Cost = (records: number, pollMs: number) => number;

const COSTS: Readonly<Record<string, Cost>> = {
  'take 17 s': (records) => 200 + (records * 17_000) / 5000,
  'take longer than a poll': (records, pollMs) => 200 + (records * pollMs * 1.5) / 5000,
};

/** @param readMs milliseconds that reading a single record takes. */
function slow(
  trigger: TriggerEngine,
  isSlow: (call: SentCall) => boolean,
  cost: Cost,
  pollMs = 0,
  readMs = 20,
): void {
  trigger.between = {
    cost: (call) => {
      if (call.action === 'get_data') return readMs;
      if (call.action !== 'list_data' || !isSlow(call)) return 20;
      return cost(Number(call.form.get('limit')), pollMs);
    },
  };
}

const isLearning = (trigger: TriggerEngine): boolean => trigger.state?.includes('"learnsUpTo":null') !== true;

/** Polls until there are enough items, and once more. Reports the error of a poll that fails. */
async function pollFor(trigger: TriggerEngine, items: number, most: number): Promise<object[]> {
  const all: object[] = [];
  for (let polls = 0; all.length < items; polls++) {
    if (polls > most) throw new Error(`After ${most} polls ${all.length} of ${items} items came`);
    all.push(...(await pollOn(trigger)));
  }
  return [...all, ...(await pollOn(trigger))];
}

async function pollOn(trigger: TriggerEngine): Promise<object[]> {
  return await trigger.poll().catch((error: Error) => {
    expect(error.message).toContain(LATE);
    return [];
  });
}

async function learned(trigger: TriggerEngine, most: number): Promise<void> {
  await trigger.activate().catch(() => undefined);
  for (let polls = 0; isLearning(trigger); polls++) {
    expect(polls).toBeLessThan(most);
    await pollOn(trigger);
  }
}

const CASES = [
  ['durable', 'heads', 'take 17 s'],
  ['durable', 'whole records', 'take 17 s'],
  ['durable', 'quick pages', 'take 17 s'],
  ['durable', 'heads', 'take longer than a poll'],
  ['durable', 'whole records', 'take longer than a poll'],
  ['durable', 'quick pages', 'take longer than a poll'],
  ['usual', 'heads', 'take longer than a poll'],
  ['usual', 'quick pages', 'take longer than a poll'],
] as const;

it.each(CASES)(
  'in the %s engine %s that %s at full size come with fewer records',
  async (engine, kind, cost) => {
    const isQuick = kind === 'quick pages';
    const options = isQuick ? { updatedPart: '4', fullScanEvery: 600 } : {};
    const trigger = watchTickets(sandbox, { options }, { ...ENGINES[engine], clock: new FakePollClock() });
    slow(trigger, KINDS[kind]!, COSTS[cost]!, ENGINES[engine]!.budgetMs);
    await learned(trigger, 40);
    const ids = await sandbox.addRecords('tickets', numbered(NEW, 'New'));
    const changed = ['1', '150', String(RECORDS)];
    for (const id of changed) await sandbox.changeRecord('tickets', id, { Title: 'Changed' });
    const expected = [
      ...ids.map((id) => `created ${id} (1)`),
      ...changed.map((id) => `updated ${id} (1 to 2)`),
    ];
    const items = await pollFor(trigger, expected.length, 40);
    expect(inWords(items).sort()).toEqual(expected.sort());
  },
  60_000,
);

it('a deletion is told although each scan leaves too little time to read a record', async () => {
  await sandbox.addRecords('tickets', numbered(300));
  const trigger = watchTickets(sandbox, {}, { ...ENGINES.durable, clock: new FakePollClock() });
  slow(trigger, isScan, (records) => (records > 250 ? 60_000 : 8500), 0, 2000);
  await learned(trigger, 40);
  await sandbox.removeRecord('tickets', '9');
  expect(inWords(await pollFor(trigger, 1, 2))).toEqual(['deleted 9 (1)']);
});

it('a poll does not fail because there is no time for what was deleted outside the filter', async () => {
  const clock = new FakePollClock();
  const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };
  const trigger = watchTickets(sandbox, { filters }, { ...ENGINES.durable, clock });
  await learned(trigger, 2);
  for (const id of ['3', '4']) await sandbox.changeRecord('tickets', id, { State: 'closed' });
  await trigger.poll();
  slow(trigger, isScan, () => 13_500, 0, 9000);
  for (let polls = 0; polls < 3; polls++) {
    clock.leap(3_600_000);
    expect(await trigger.poll()).toEqual([]);
  }
});

it.each(Object.keys(ENGINES))(
  'in the %s engine, a scan ends although each list takes 17 s, however short it is',
  async (engine) => {
    const trigger = watchTickets(sandbox, {}, { ...ENGINES[engine], clock: new FakePollClock() });
    slow(trigger, KINDS.heads!, () => 17_000);
    await learned(trigger, 10);
    await sandbox.changeRecord('tickets', String(RECORDS), { Title: 'Changed' });
    expect(inWords(await pollFor(trigger, 1, 10))).toEqual([`updated ${RECORDS} (1 to 2)`]);
  },
);

it('an error says so if lists take longer than a poll, however short they are', async () => {
  const trigger = watchTickets(sandbox, {}, { ...ENGINES.durable, clock: new FakePollClock() });
  await learned(trigger, 5);
  slow(
    trigger,
    () => true,
    () => 600_000,
  );
  await sandbox.changeRecord('tickets', '1', { Title: 'Changed' });
  const outcomes: string[] = [];
  for (let polls = 0; polls < 6; polls++)
    outcomes.push(await trigger.poll().then(String, (error: Error) => error.message));
  const errors = outcomes.filter((outcome) => outcome !== '');
  expect(errors.length).toBeGreaterThan(3);
  for (const error of errors) expect(error).toContain(LATE);
  trigger.between = {};
  expect(inWords(await pollFor(trigger, 1, 40))).toEqual(['updated 1 (1 to 2)']);
});

/** n8n's durable engine keeps what a poll has done only if the poll returns. */
it.each([
  ['list_data', 1],
  ['count_data', 0],
])(
  'the first scan ends with durable cursors even if a call of %s is late in every poll, after %i others',
  async (action, others) => {
    const trigger = watchTickets(sandbox, {}, { ...ENGINES.durable, clock: new FakePollClock() });
    let calls = 0;
    const late = (): void => {
      calls = 0;
      trigger.between = {
        cost: (call) => {
          if (call.action !== action) return 3000;
          return calls++ === others ? 60_000 : 3000;
        },
      };
    };
    late();
    await trigger.activate().catch(() => undefined);
    for (let polls = 0; isLearning(trigger); polls++) {
      expect(polls).toBeLessThan(20);
      late();
      await pollOn(trigger);
    }
    const [id] = await sandbox.addRecords('tickets', [{ Title: 'New' }]);
    trigger.between = {};
    expect(inWords(await pollFor(trigger, 1, 5))).toEqual([`created ${id} (1)`]);
  },
  60_000,
);

it('a call whose time is over is aborted, others are not', async () => {
  const trigger = watchTickets(sandbox, {}, { ...ENGINES.durable, clock: new FakePollClock() });
  slow(
    trigger,
    ({ form }) => form.get('limit') === '5000',
    () => 60_000,
  );
  await trigger.activate();
  const broken = trigger.calls.filter(({ signal }) => signal?.aborted === true);
  expect(broken.map(({ action, form }) => [action, form.get('limit')])).toEqual([['list_data', '5000']]);
  expect(isLearning(trigger)).toBe(false);
});

it('n8n closes the connection of such a call', async () => {
  let answer: ServerResponse | undefined;
  const server = createServer((_, response) => (answer = response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trigger = watchTickets(sandbox, {}, { budgetMs: 1500 });
  trigger.credential = { ...trigger.credential, baseUrl: `http://127.0.0.1:${port}/` };
  const asked = once(server, 'request');
  const polling = trigger.activate();
  await asked;
  const broken = once(answer!, 'close');
  await expect(polling).rejects.toThrow(LATE);
  await broken;
  server.close();
});
