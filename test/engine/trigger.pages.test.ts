import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** The most records of a page, whatever the limit. With an overlap of one, nine records end with a full page. */
const MOST = 3;

jest.mock('../../nodes/ApplicationDataService/service/read/recordList', () => {
  const actual: { listParts: (...args: [unknown, unknown, { limit: number }]) => unknown } =
    jest.requireActual('../../nodes/ApplicationDataService/service/read/recordList');
  return {
    ...actual,
    listParts: (app: unknown, query: unknown, page: { limit: number }) =>
      actual.listParts(app, query, { ...page, limit: Math.min(page.limit, MOST) }),
  };
});

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(9) }, (own) => (sandbox = own));

test('a service that returns fewer records in a page than requested hides nothing', async () => {
  const trigger = watchTickets(sandbox);
  expect(await trigger.activate()).toEqual([]);
  expect(await trigger.poll()).toEqual([]);
  const [added] = await sandbox.addRecords('tickets', numbered(1, 'New'));
  expect(inWords(await trigger.poll())).toEqual([`created ${added} (1)`]);
  await sandbox.changeRecord('tickets', '9', { State: 'closed' });
  expect(inWords(await trigger.poll())).toEqual(['updated 9 (1 to 2)']);
  await sandbox.removeRecord('tickets', '2');
  expect(inWords(await trigger.poll())).toEqual(['deleted 2 (1)']);
  expect(await trigger.poll()).toEqual([]);
});
