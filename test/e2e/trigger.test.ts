import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Sandbox } from '../support/sandbox';
import { OwnN8n } from './support/own-n8n';
import { findFreePort } from './support/port';
import { until } from './support/until';
import { WatchedCustomers } from './support/watched';

/** What the trigger logs when it must not fail, because n8n would give it up. */
const PUT_OFF = 'The first poll is postponed';

/** One n8n that is restarted, and a service of its own that is stopped: the stories go on from each other. */
describe('The trigger of an active workflow', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'application-data-service-trigger-'));
  const n8n = new OwnN8n('trigger');
  let port: number;
  let sandbox: Sandbox;
  const customers = new WatchedCustomers(
    () => n8n.rest,
    () => sandbox,
  );

  beforeAll(async () => {
    port = await findFreePort();
    await startSandbox();
    await n8n.start();
    const { baseUrl, accessKey } = sandbox;
    const credential = await n8n.rest.post<{ id: string; name: string }>('credentials', {
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

  it('runs it once with each record that is created, updated or deleted', async () => {
    await sandbox.changeRecord('customers', '2', { Contact: 'Tina Birch' });
    const { ID } = await sandbox.call('insert_data', { app_id: '@customers', '{{Company}}': 'Newcomer Ltd' });
    await sandbox.removeRecord('customers', '4');

    await customers.expectChanges([
      { event: 'updated', id: '2', previousRevision: 1, revision: 2, Contact: 'Tina Birch' },
      { event: 'created', id: ID, previousRevision: null, revision: 1, Company: 'Newcomer Ltd' },
      { event: 'deleted', id: '4', previousRevision: 1 },
    ]);
  });

  it('goes on where it was when n8n is restarted, also with what happened meanwhile', async () => {
    const before = await customers.changes();
    await n8n.stop();
    await sandbox.changeRecord('customers', '1', { Rank: 'B' });
    await n8n.start();

    const meanwhile = { event: 'updated', id: '1', previousRevision: 1, revision: 2, Rank: 'B' };
    await customers.expectChanges([...before, meanwhile]);

    await sandbox.changeRecord('customers', '2', { Rank: 'C' });
    const afterwards = { event: 'updated', id: '2', previousRevision: 2, revision: 3, Rank: 'C' };
    await customers.expectChanges([...before, meanwhile, afterwards]);
  });

  it('runs it once the service is there, when that was down while n8n started', async () => {
    const before = await customers.changes();
    await n8n.stop();
    await sandbox.stop();
    await n8n.start();
    await until(() => n8n.readLog().includes(PUT_OFF));
    expect(n8n.readLog()).toContain(PUT_OFF);
    await startSandbox();

    await sandbox.changeRecord('customers', '3', { Contact: '山田 花子' });
    await customers.expectChanges([
      ...before,
      { event: 'updated', id: '3', previousRevision: 1, revision: 2, Contact: '山田 花子' },
    ]);
  });

  async function startSandbox(): Promise<void> {
    sandbox = await Sandbox.start({ port, data: join(dataFolder, 'sandbox.sqlite') });
  }
});
