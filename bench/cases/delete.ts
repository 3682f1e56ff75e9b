import { time } from '../support/measure';
import { byId, goods, withSetup } from '../support/setup';
import type { Case, Row } from '../support/table';

const COUNT = 10_000;

/** Requests of deleting many items. */
export const deletion: Case = {
  name: 'delete',
  run: async () => [await allDeleted(), await oneRefused()],
};

async function deleteAll(
  count: number,
  refuse: boolean,
): Promise<{ requests: number; ms: number; errors: number }> {
  return await withSetup({}, async ({ engine, sandbox }) => {
    const app = await goods(sandbox, count);
    if (refuse) {
      const rights = { [app.id]: { records: { [app.records[count >> 1]!]: { delete: false } } } };
      await sandbox.setUser('1001', { rights });
      await sandbox.setDialect({ multiDelete: 'none' });
    }
    await sandbox.clearStatistics();
    const parameters = {
      resource: 'record',
      operation: 'delete',
      application: byId(app.id),
      recordId: '={{ $json.id }}',
      options: {},
    };
    const input = app.records.map((id) => ({ json: { id } }));
    let errors = 0;
    const ms = await time(async () => {
      const { json } = await engine.run(parameters, { input, node: { onError: 'continueRegularOutput' } });
      errors = json.filter((item) => 'error' in item).length;
    });
    return { requests: (await sandbox.statistics()).calls, ms, errors };
  });
}

async function allDeleted(): Promise<Row> {
  const { requests, ms } = await deleteAll(COUNT, false);
  return {
    name: `delete ${COUNT}`,
    ours: `${requests} requests, ${ms.toFixed(0)} ms`,
    ratios: {},
    goal: 'at most 101 requests',
    met: requests <= 101,
  };
}

async function oneRefused(): Promise<Row> {
  const { requests, errors, ms } = await deleteAll(1000, true);
  return {
    name: 'delete 1000, one of them refused',
    ours: `${requests} requests, ${ms.toFixed(0)} ms, ${errors} error`,
    ratios: {},
    goal: 'halved until the culprit is alone: 1 error, at most 42 requests',
    met: errors === 1 && requests <= 42,
  };
}
