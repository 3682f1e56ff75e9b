import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Sandbox } from '../support/sandbox';
import { OwnN8n } from './support/own-n8n';
import { findFreePort } from './support/port';
import { BEHIND_TRIGGER, POLL_EVERY_MS, triggerWorkflow } from './support/trigger-workflow';

/** What the trigger logs when it must not fail, because n8n would give it up. */
const PUT_OFF = 'The first poll is put off';

/** For a poll, which may have to wait for a service that is down, and the execution it starts. */
const CHANGE_TIMEOUT = 45_000;

type Json = Record<string, unknown>;

/** One n8n that is restarted, and a service of its own that is stopped: the stories go on from each other. */
describe('The trigger of an active workflow', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'application-data-service-trigger-'));
  const n8n = new OwnN8n('trigger');
  let port: number;
  let sandbox: Sandbox;
  let workflowId: string;

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
    const workflow = await n8n.rest.post<{ id: string; versionId: string }>(
      'workflows',
      triggerWorkflow(credential),
    );
    workflowId = workflow.id;
    await n8n.rest.post(`workflows/${workflowId}/activate`, { versionId: workflow.versionId });
    // n8n answers before the trigger has polled for the first time: what it remembers is there once it has.
    await until(async () => (await rememberedByN8n()) !== null);
    expect(await rememberedByN8n()).not.toBeNull();
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

    await expectChanges([
      { event: 'updated', id: '2', previousRevision: 1, revision: 2, Contact: 'Tina Birch' },
      { event: 'created', id: ID, previousRevision: null, revision: 1, Company: 'Newcomer Ltd' },
      { event: 'deleted', id: '4', previousRevision: 1 },
    ]);
  });

  it('goes on where it was when n8n is restarted, also with what happened meanwhile', async () => {
    const before = await changes();
    await n8n.stop();
    await sandbox.changeRecord('customers', '1', { Rank: 'B' });
    await n8n.start();

    const meanwhile = { event: 'updated', id: '1', previousRevision: 1, revision: 2, Rank: 'B' };
    await expectChanges([...before, meanwhile]);

    await sandbox.changeRecord('customers', '2', { Rank: 'C' });
    const afterwards = { event: 'updated', id: '2', previousRevision: 2, revision: 3, Rank: 'C' };
    await expectChanges([...before, meanwhile, afterwards]);
  });

  it('runs it once the service is there, when that was down while n8n started', async () => {
    const before = await changes();
    await n8n.stop();
    await sandbox.stop();
    await n8n.start();
    await until(() => n8n.readLog().includes(PUT_OFF));
    expect(n8n.readLog()).toContain(PUT_OFF);
    await startSandbox();

    await sandbox.changeRecord('customers', '3', { Contact: '山田 花子' });
    await expectChanges([
      ...before,
      { event: 'updated', id: '3', previousRevision: 1, revision: 2, Contact: '山田 花子' },
    ]);
  });

  async function startSandbox(): Promise<void> {
    sandbox = await Sandbox.start({ port, data: join(dataFolder, 'sandbox.sqlite') });
  }

  /** What n8n has saved for the trigger, `null` before its first poll. */
  async function rememberedByN8n(): Promise<unknown> {
    return (await n8n.rest.get<{ staticData: unknown }>(`workflows/${workflowId}`)).staticData;
  }

  /** What the node behind the trigger was given, over all executions since the workflow was activated. */
  async function changes(): Promise<Json[]> {
    const executions = await n8n.rest.endedExecutions(workflowId);
    return executions.flatMap((execution) => execution.items(BEHIND_TRIGGER));
  }

  /** Waits for as many changes, lets more polls pass, and expects these changes and no other, in any order. */
  async function expectChanges(expected: readonly Json[]): Promise<void> {
    await until(async () => (await changes()).length >= expected.length);
    const since = (await sandbox.log()).at(-1)?.number;
    await sleep(2.5 * POLL_EVERY_MS);

    const calls = await sandbox.log(since);
    expect(calls.filter(({ action }) => action === 'list_data').length).toBeGreaterThanOrEqual(2);
    const given = await changes();
    expect(given).toHaveLength(expected.length);
    expect(given).toEqual(
      expect.arrayContaining(expected.map((change) => expect.objectContaining(change) as unknown)),
    );
  }
});

/** Waits, but not for ever: what is expected is said by the caller, who sees what is there instead. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + CHANGE_TIMEOUT;
  while (!(await isSo()) && Date.now() < deadline) await sleep(500);
}
