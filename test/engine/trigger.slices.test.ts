import { FakePollClock } from '../support/fakePollClock';
import { Sandbox } from '../support/sandbox';
import type { TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';

const RECORDS = 28_000;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
  await sandbox.createApplication({ ...TICKETS, records: [] });
  for (let added = 0; added < RECORDS; added += 4000)
    await sandbox.addRecords('tickets', numbered(4000, `Batch ${added}`));
}, 60_000);
afterAll(async () => await sandbox.stop());
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.resetDialect();
});

/** n8n's limit for a poll, which is too short for a slow scan. */
const BUDGET = (): TriggerOptions => ({ budgetMs: 2600, clock: new FakePollClock() });

/** Only newer versions of n8n set a limit other than the default. */
const it = CAPABILITIES.pollBudget() ? test : test.skip;

const isLearning = (trigger: TriggerEngine): boolean => trigger.state?.includes('"learnsUpTo":null') !== true;

/** Polls. A busy machine may end a poll early; then the next one continues. */
async function pollOn(trigger: TriggerEngine): Promise<object[]> {
  return await trigger.poll().catch((error: Error) => {
    expect(error.message).toContain('within the time limit of the poll');
    return [];
  });
}

/** Slows down the pages, so that a poll's budget ends in the middle of the scan. */
function slow(trigger: TriggerEngine): void {
  trigger.between = { cost: ({ action }) => (action === 'list_data' ? 300 : 0) };
}

it('continues in the next poll if the budget ends, and loses no change in the meantime', async () => {
  const trigger = watchTickets(sandbox, {}, BUDGET());
  slow(trigger);
  await trigger.activate();
  expect(isLearning(trigger)).toBe(true);
  await sandbox.addRecords('tickets', [{ Title: 'While it learns' }]);
  const early: object[] = [];
  let polls = 0;
  while (isLearning(trigger)) {
    expect(++polls).toBeLessThan(30);
    early.push(...(await pollOn(trigger)));
  }
  expect(polls).toBeGreaterThan(0);
  await sandbox.changeRecord('tickets', '10', { Title: 'Early in the list' });
  await sandbox.changeRecord('tickets', '27900', { Title: 'Late in the list' });
  await sandbox.removeRecord('tickets', '7000');
  const later: object[] = [...early];
  for (let each = 0; each < 12; each++) {
    later.push(...(await pollOn(trigger)));
    if (each === 3) await sandbox.removeRecord('tickets', '20');
    if (each === 5) trigger.between = {};
  }
  expect(inWords(later).sort()).toEqual(
    [
      `created ${RECORDS + 1} (1)`,
      'updated 10 (1 to 2)',
      'updated 27900 (1 to 2)',
      'deleted 7000 (1)',
      'deleted 20 (1)',
    ].sort(),
  );
}, 120_000);

test('reads many changes with few requests, and misses none while records are deleted', async () => {
  const trigger = watchTickets(sandbox);
  await trigger.activate();
  await trigger.poll();
  await sandbox.clearStatistics();
  await trigger.poll();
  const unchanged = (await sandbox.statistics()).calls;
  const changed = Array.from({ length: 100 }, (_, each) => String(101 + each * 150));
  for (const id of changed) await sandbox.changeRecord('tickets', id, { Title: 'Changed' });
  await sandbox.clearStatistics();
  const polling = trigger.poll();
  for (const id of ['40', '41', '5100', '9000']) await sandbox.removeRecord('tickets', id);
  const items = await polling;
  expect(
    (await sandbox.statistics()).callsByAction.list_data! +
      ((await sandbox.statistics()).callsByAction.get_data ?? 0),
  ).toBeLessThanOrEqual(unchanged + 25 + 8);
  const rest = [...(await trigger.poll()), ...(await trigger.poll())];
  const words = inWords([...items, ...rest]);
  expect(words.filter((each) => each.startsWith('updated'))).toHaveLength(100);
  expect(words.filter((each) => each.startsWith('deleted'))).toHaveLength(4);
  expect(words).toHaveLength(104);
});
