import type { INodeParameters } from 'n8n-workflow';

import { RETRIES } from '../../nodes/ApplicationDataService/service/http/client';
import { TriggerEngine } from '../../test/support/triggerEngine';
import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

/** A service that takes 150 seconds for 5,000 records, while clients wait for 120: a second is 10 milliseconds here. */
const SECOND = 10;
const ITEM_MS = (150 * SECOND) / 5000;
const RECORDS = 6000;
const KEYS = 300;

/** What ends well with a service that takes too long for long lists, and with how many requests. */
export const slow: Case = {
  name: 'slow',
  run: async () => {
    const policy = RETRIES as { timeoutMs: number };
    const { timeoutMs } = policy;
    policy.timeoutMs = 120 * SECOND;
    try {
      return await withSetup({}, rows);
    } finally {
      policy.timeoutMs = timeoutMs;
    }
  },
};

async function rows(setup: Setup): Promise<Row[]> {
  const { engine, sandbox } = setup;
  const { id } = await goods(sandbox, RECORDS);
  const application = byId(id);
  const parts = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] };
  const input = Array.from({ length: RECORDS }, (_, index) => ({
    json: { Code: `C${index}`, Name: `Good ${index}` },
  }));
  const run = (operation: string, more: INodeParameters, items?: { json: object }[]) => async () => {
    const parameters = { resource: 'record', operation, application, options: {}, ...more };
    return (await runOurs(engine, parameters, items)).items.length;
  };
  const trigger = new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { application, events: ['created', 'updated', 'deleted'], options: {} },
    { budgetMs: 300 * SECOND },
  );
  await trigger.activate();
  while (trigger.state?.includes('"scan":{') !== false) await trigger.poll();
  await sandbox.changeRecord(id, '3000', { Name: 'changed' });
  await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 0, itemMs: ITEM_MS, action: 'list_data' }]);
  const file = { format: 'csv', binaryPropertyName: 'data' };
  return [
    await rowOf(setup, 'Get Many', RECORDS, run('getAll', { returnAll: true })),
    await rowOf(setup, 'Export', 1, run('export', file)),
    await rowOf(setup, 'Sync', RECORDS, run('sync', { parts, missing: 'keep' }, input)),
    await rowOf(
      setup,
      `Create or Update of ${KEYS} keys`,
      KEYS,
      run('upsert', { parts }, input.slice(-KEYS)),
    ),
    await rowOf(setup, 'polls until one tells a change', 1, async () => await untilTold(trigger)),
  ];
}

/** A poll that runs out of time throws or returns nothing, and the next one continues with shorter pages. */
async function untilTold(trigger: TriggerEngine): Promise<number> {
  for (let polls = 0; polls < 6; polls++) {
    const { length } = await trigger.poll().catch(() => []);
    if (length > 0) return length;
  }
  return 0;
}

/** Twice as many requests as lists in halves need, for what else is asked, and for a page that is late all the same. */
const MAX_REQUESTS = 16;

async function rowOf(
  { sandbox }: Setup,
  name: string,
  expected: number,
  run: () => Promise<number>,
): Promise<Row> {
  await sandbox.clearStatistics();
  const items = await run();
  const { calls, callsByAction } = await sandbox.statistics();
  return {
    name: `slow service, ${name} of ${RECORDS} records`,
    ours: `${items} items, ${calls} requests (${callsByAction.list_data ?? 0} pages)`,
    ratios: { requests: calls },
    goal: `${expected} items, at most ${MAX_REQUESTS} requests`,
    met: items === expected && calls <= MAX_REQUESTS,
  };
}
