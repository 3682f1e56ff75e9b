import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { FakePollClock } from '../support/fakePollClock';
import { Sandbox } from '../support/sandbox';
import type { TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';

const MINUTE = 60_000;
const QUICK = { updatedPart: '4', fullScanEvery: 60 };

let sandbox: Sandbox;
let clock: FakePollClock;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
  await sandbox.reset();
  clock = new FakePollClock();
  await passes(0);
  await sandbox.createApplication(TICKETS);
});

/** Lets time pass for the trigger and for the service. */
async function passes(milliseconds: number): Promise<void> {
  clock.leap(milliseconds);
  await sandbox.setClock(new Date(clock.now()).toISOString());
}

function watch(parameters: object = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters as never, { clock, ...options });
}

async function removeRecords(from: number, to: number): Promise<void> {
  const ids = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  await sandbox.call('delete_data', { app_id: '@tickets', data_id: ids.join(',') });
}

/** Polls once a minute. @returns short texts of the changes in each poll. */
async function polled(
  trigger: TriggerEngine,
  polls: number,
  before: () => Promise<unknown> = async () => await Promise.resolve(),
): Promise<string[][]> {
  const changes: string[][] = [];
  for (let each = 0; each < polls; each++) {
    await passes(MINUTE);
    await before();
    changes.push(inWords(await trigger.poll()));
  }
  return changes;
}

describe.each([
  ['full scans', {}],
  ['quick polls', QUICK],
])('few records in each poll, by %s', (name, options) => {
  it('are output oldest first, and a record that changes all the time delays nothing else', async () => {
    const trigger = watch({ options: { ...options, maxRecordsPerPoll: 2 } });
    await trigger.activate();
    await passes(MINUTE);
    const ids = await sandbox.addRecords('tickets', numbered(9));
    const changes = await polled(trigger, 12, async () => {
      await sandbox.changeRecord('tickets', '1', { Title: `At ${clock.now()}` });
    });
    expect(changes.every((words) => words.length <= 2)).toBe(true);
    const created = changes.flat().filter((words) => words.startsWith('created'));
    expect(created).toEqual(ids.map((id) => `created ${id} (1)`));
    expect(changes.flat().filter((words) => words.startsWith('updated 1 ')).length).toBeGreaterThan(0);
    // As fast as the other changes allow.
    expect(changes.slice(0, 10).flat()).toEqual(expect.arrayContaining(created));
    expect(name).toBeDefined();
  });
});

test('quick polls miss nothing because of a few records that are dated in the future', async () => {
  await sandbox.addRecords('tickets', numbered(200));
  const trigger = watch({ options: { ...QUICK, fullScanEvery: 600 } });
  await trigger.activate();
  await sandbox.setClock(new Date(clock.now() + 400 * 24 * 60 * MINUTE).toISOString());
  for (const id of ['5', '6', '7']) await sandbox.changeRecord('tickets', id, { Title: 'From the future' });
  await passes(0);
  expect((await polled(trigger, 1))[0]).toHaveLength(3);
  await sandbox.changeRecord('tickets', '150', { Title: 'Now' });
  const ids = await sandbox.addRecords('tickets', numbered(150));
  const changes = [...ids.map((id) => `created ${id} (1)`), 'updated 150 (1 to 2)'];
  expect((await polled(trigger, 2)).flat().sort()).toEqual(changes.sort());
});

describe("the trigger's state", () => {
  const size = async (trigger: TriggerEngine): Promise<number | undefined> =>
    (await decodeState(trigger.state!))?.records.size;

  it.each([
    ['deletions are wanted', ['created', 'updated', 'deleted']],
    ['they are not', ['created']],
  ])('shrinks when records are deleted, if %s', async (_, events) => {
    await sandbox.addRecords('tickets', numbered(30));
    const trigger = watch({ events });
    await trigger.activate();
    expect(await size(trigger)).toBe(32);
    await removeRecords(3, 12);
    await polled(trigger, 3);
    expect(await size(trigger)).toBe(22);
  });
});
