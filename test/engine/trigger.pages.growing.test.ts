import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** The most records of a page, whatever the limit. */
const MOST = 50;
/** Within this many polls, the trigger reads what follows a page of this length. */
const POLLS = 10;

jest.mock('../../nodes/ApplicationDataService/service/read/recordList', () => {
  const actual: { listParts: (...given: [unknown, unknown, { limit: number }]) => unknown } =
    jest.requireActual('../../nodes/ApplicationDataService/service/read/recordList');
  return {
    ...actual,
    listParts: (app: unknown, query: unknown, page: { limit: number }) =>
      actual.listParts(app, query, { ...page, limit: Math.min(page.limit, MOST) }),
  };
});

let sandbox: Sandbox;
useSandbox(null, (own) => (sandbox = own));

test.each([MOST - 1, MOST])(
  'records beyond what the service returns at once are found, where %i were there in the beginning',
  async (first) => {
    await sandbox.createApplication({ ...TICKETS, records: numbered(first) });
    const trigger = watchTickets(sandbox);
    expect(await trigger.activate()).toEqual([]);
    expect(await trigger.poll()).toEqual([]);
    const expected: string[] = [];
    const found: string[] = [];
    const pollUntilFound = async (): Promise<void> => {
      for (let poll = 0; poll < POLLS && found.length < expected.length; poll++)
        found.push(...inWords(await trigger.poll()));
      expect(found).toEqual(expected);
    };
    for (let added = 0; added < 3; added++) {
      const [id] = await sandbox.addRecords('tickets', numbered(1, 'New'));
      expected.push(`created ${id} (1)`);
      await pollUntilFound();
    }
    await sandbox.changeRecord('tickets', String(first + 3), { State: 'closed' });
    expected.push(`updated ${first + 3} (1 to 2)`);
    await pollUntilFound();
    expect(await trigger.poll()).toEqual([]);
  },
);

test('a list that ends in such a page costs one more request only once in a while', async () => {
  await sandbox.createApplication({ ...TICKETS, records: numbered(MOST) });
  const trigger = watchTickets(sandbox);
  await trigger.activate();
  await sandbox.clearStatistics();
  for (let poll = 0; poll < POLLS - 1; poll++) expect(await trigger.poll()).toEqual([]);
  expect((await sandbox.statistics()).calls).toBeLessThanOrEqual(POLLS + 2);
});
