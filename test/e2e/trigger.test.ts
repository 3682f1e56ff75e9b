import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Sandbox } from '../support/sandbox';
import { OwnN8n } from './support/own-n8n';
import { repository } from './support/paths';
import { eventually } from './support/patience';
import { findFreePort } from './support/port';
import { WatchedCustomers } from './support/watched';

/** The trigger logs this when it must not fail, because n8n would give it up. */
const PUT_OFF = 'The first poll is postponed';

/** One n8n that is restarted, and a separate sandbox that is stopped. Each story continues from the one before. */
describe('The trigger of an active workflow', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'application-data-service-trigger-'));
  const n8n = new OwnN8n('trigger');
  let port: number;
  let sandbox: Sandbox;
  let credential: { id: string; name: string };
  const customers = new WatchedCustomers(
    () => n8n.rest,
    () => sandbox,
  );

  beforeAll(async () => {
    port = await findFreePort();
    await startSandbox();
    await n8n.start();
    const { baseUrl, accessKey } = sandbox;
    credential = await n8n.rest.post<{ id: string; name: string }>('credentials', {
      name: 'The service that is watched',
      type: 'applicationDataServiceApi',
      data: { baseUrl, accessKey },
    });
    await customers.activate(credential);
  });

  afterAll(async () => {
    await n8n.remove();
    await sandbox.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it('runs it once the service answers, if that was down while n8n started', async () => {
    await n8n.stop();
    await sandbox.stop();
    await n8n.start();
    await eventually(
      () => n8n.readLog(),
      (log) => expect(log).toContain(PUT_OFF),
    );
    await startSandbox();

    await sandbox.changeRecord('customers', '3', { Contact: '山田 花子' });
    await customers.expectChanges([
      { event: 'updated', id: '3', previousRevision: 1, revision: 2, Contact: '山田 花子' },
    ]);
  });

  it('stores 5,000 records in as many characters as docs/performance.md says, and no execution contains them', async () => {
    let seed = 1;
    const below = (count: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * count);
    };
    const records = Array.from({ length: 5000 }, () => ({
      Status: `Status ${below(5)}`,
      Owner: `Person ${below(40)}`,
    }));
    const parts = ['Status', 'Owner'].map((name) => ({ name, type: 'textbox' as const }));
    await sandbox.createApplication({ name: 'Orders', identifier: 'remembered', parts, records });
    const orders = new WatchedCustomers(
      () => n8n.rest,
      () => sandbox,
      { identifier: 'remembered', watchParts: ['Status', 'Owner'], options: { previousValues: 'updated' } },
    );
    await orders.activate(credential);
    await sandbox.changeRecord('remembered', '5000', { Status: 'Approved' });
    await orders.expectChanges([{ event: 'updated', id: '5000', Status: 'Approved' }]);
    await n8n.stop();

    const { row, execution } = savedLengths(n8n.databaseFile, orders.workflowId);
    const page = readFileSync(join(repository, 'docs', 'performance.md'), 'utf8');
    const [, inRow = ''] = /takes (\d+) KB in the row/.exec(page) ?? [];
    expect(row).toBeLessThanOrEqual((2 + 2 * 7 + 4) * 5000);
    expect(row / 1000).toBeCloseTo(Number(inRow), -0.5);
    expect(execution).toBeLessThan(5000);
  });

  async function startSandbox(): Promise<void> {
    sandbox = await Sandbox.start({ port, data: join(dataFolder, 'sandbox.sqlite') });
  }
});

/** The length of the trigger's state as n8n saved it: in the workflow's row, and in the longest saved execution. */
function savedLengths(databaseFile: string, workflowId: string): { row: number; execution: number } {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  try {
    const workflow = database
      .prepare('SELECT length(staticData) AS row FROM workflow_entity WHERE id = ?')
      .get(workflowId) as { row: number };
    const saved = database
      .prepare(
        `SELECT max(length(workflowData)) AS execution FROM execution_data
         JOIN execution_entity ON execution_entity.id = executionId WHERE workflowId = ?`,
      )
      .get(workflowId) as { execution: number };
    return { ...workflow, ...saved };
  } finally {
    database.close();
  }
}
