import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SandboxControl } from '../support/sandboxControl';
import { type Demo, startDemo, startRefused } from './support/demo';
import { logIn, N8n } from './support/n8n';
import { eventually } from './support/patience';
import { findFreePort } from './support/port';

const EXAMPLE = 'create-customer.json';

describe('A demo that is started again', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'application-data-service-kept-'));
  let args: string[];

  beforeAll(async () => {
    const [n8nPort, sandboxPort] = [await findFreePort(), await findFreePort()];
    args = ['--data-folder', dataFolder, '--n8n-port', `${n8nPort}`, '--sandbox-port', `${sandboxPort}`];
  });

  afterAll(() => {
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it("keeps the user's changes until it is reset", async () => {
    const first = await startDemo(args);
    const untouched = await customers(first.demo);
    const id = first.demo.workflows[EXAMPLE]?.id ?? '';
    // n8n lists workflows by the time of their last change. Who opens the first one must see it end well.
    const byChange = (await workflowsOf(first.demo)).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    expect(byChange[0]?.id).toBe(id);
    await (await n8nOf(first.demo)).patch(`workflows/${id}`, { name: 'Mine' });
    await (await n8nOf(first.demo)).run(id, 'When clicking ‘Execute workflow’');
    expect(startRefused(args).message).toContain('Another demo is already using');
    expect(await first.stop()).toBe(0);

    const second = await startDemo(args);
    expect(second.demo).toEqual({ ...first.demo, sandbox: second.demo.sandbox });
    expect(second.demo.sandbox.baseUrl).toBe(first.demo.sandbox.baseUrl);
    expect(await customers(second.demo)).toBe(untouched + 1);
    expect(await workflowNames(second.demo)).toContain('Mine');
    expect(await workflowNames(second.demo)).toHaveLength(Object.keys(first.demo.workflows).length);
    expect(await second.stop('SIGINT')).toBe(0);

    const third = await startDemo([...args, '--reset']);
    expect(await workflowNames(third.demo)).not.toContain('Mine');
    expect(third.demo.workflows[EXAMPLE]?.id).not.toBe(id);
    expect(await customers(third.demo)).toBe(untouched);

    await third.stop('SIGKILL');
    await untilSilent(third.demo.n8nUrl);
    await untilSilent(third.demo.sandbox.baseUrl);
  });
});

async function n8nOf(demo: Demo): Promise<N8n> {
  return new N8n(demo.n8nUrl, await logIn(demo));
}

async function workflowsOf(demo: Demo): Promise<{ id: string; name: string; updatedAt: string }[]> {
  return await (await n8nOf(demo)).get('workflows');
}

async function workflowNames(demo: Demo): Promise<string[]> {
  return (await workflowsOf(demo)).map(({ name }) => name);
}

async function customers({ sandbox }: Demo): Promise<number> {
  return (await new SandboxControl(sandbox).records('customers')).length;
}

/** Waits until nothing listens at the address. */
async function untilSilent(address: string): Promise<void> {
  const listens = async () =>
    await fetch(address).then(
      () => true,
      () => false,
    );
  await eventually(listens, (stillThere) => expect(stillThere).toBe(false));
}
