import type { Browser } from 'playwright-core';

import { SandboxControl } from '../../support/sandboxControl';
import { launchChromium, reloadWorkflow } from '../support/browser';
import { Editor } from '../support/editor';
import { ownersPage } from '../support/owner-page';
import { clickUntil, eventually, untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { unpublish } from '../support/published';
import { runningDemo, runningN8n } from '../support/running';
import { quickPolls } from '../support/trigger-workflow';

const TRIGGER = 'Application Data Service Trigger';

interface Workflow {
  readonly versionId: string;
  readonly staticData: unknown;
  readonly nodes: { readonly name: string; readonly parameters: Record<string, unknown> }[];
  readonly connections: object;
}

const sandbox = new SandboxControl(runningDemo().sandbox);
const n8n = runningN8n();
let browser: Browser;
let editor: Editor;
let workflowId: string;

beforeAll(async () => {
  browser = await launchChromium();
  editor = new Editor(await ownersPage(browser), runningDemo());
});

afterAll(async () => {
  await browser.close();
  await unpublish(n8n, workflowId);
});

/** One workflow, made from nothing: each story continues from the one before. */
describe('A first trigger', () => {
  it('is set up with an application, events, and a filter', async () => {
    await editor.newWorkflow();
    await editor.searchNode('application data');
    await editor.addNode('Triggers', 'On record updated');
    await editor.chooseApplication('inv', 'Inventory', 'Orders');
    await editor.choose('events', 'Record Created');
    await editor.page.keyboard.press('Tab');
    await clickUntil(
      editor.get('fixed-collection-filters').getByText('Add filter'),
      editor.field('part').first(),
    );
    await editor.choose('part', 'Shelf');
    await editor.type('value', 'A-01');

    await editor.executeStep();
    expect(await untilSays(editor.output, 'Hex bolt M8')).not.toContain('Drill press');
    await takePicture(editor.page, 'trigger');
  });

  it('is published, and polls', async () => {
    await editor.closeNode();
    workflowId = new URL(editor.page.url()).pathname.split('/').at(-1) ?? '';
    await saved();
    await pollOften();
    await reloadWorkflow(editor.page, workflowId);

    await clickUntil(editor.get('workflow-open-publish-modal-button'), editor.get('workflow-publish-button'));
    await editor.get('workflow-publish-button').click();
    await editor.get('activation-modal').getByText('regularly check Application Data Service').waitFor();
    await editor.get('activation-modal').getByRole('button', { name: 'Got it' }).click();
    // n8n has the trigger's state once it has polled.
    await eventually(workflow, ({ staticData }) => expect(staticData).not.toBeNull());
  });

  it('starts the workflow when a record that meets the filter changes, and the editor shows it', async () => {
    const before = (await n8n.endedExecutions(workflowId)).length;
    await sandbox.changeRecord('inventory', '2', { 'On Hand': 3 });
    await sandbox.changeRecord('inventory', '1', { 'On Hand': 990 });

    const fired = await eventually(
      async () => (await n8n.endedExecutions(workflowId)).slice(before),
      ({ length }) => expect(length).toBeGreaterThan(0),
    );
    const [item, ...others] = fired.flatMap((execution) => execution.items(TRIGGER));
    expect(others).toEqual([]);
    expect(item).toMatchObject({ event: 'updated', id: '1', Item: 'Hex bolt M8', 'On Hand': 990 });
    expect(item?.revision).toBe(Number(item?.previousRevision) + 1);
    const executions = editor.page.locator('[data-test-id^=execution-details-]');
    await clickUntil(editor.get('radio-button-executions'), executions.nth(1));
    await executions.first().click();
    await editor.get('execution-preview-label').getByText('Succeeded').waitFor();
    await takePicture(editor.page, 'trigger-fired');
  });

  async function workflow(): Promise<Workflow> {
    return await n8n.get<Workflow>(`workflows/${workflowId}`);
  }

  /** Waits until n8n has saved the workflow, which it does by itself a moment after a change. */
  async function saved(): Promise<void> {
    await eventually(workflow, ({ nodes }) => expect(JSON.stringify(nodes)).toContain('"A-01"'));
  }

  /** Makes the trigger poll more often than once a minute, the least that the editor offers. */
  async function pollOften(): Promise<void> {
    const { versionId, nodes, connections } = await workflow();
    const changed = nodes.map((node) => ({
      ...node,
      parameters: { ...node.parameters, pollTimes: quickPolls() },
    }));
    await n8n.patch(`workflows/${workflowId}`, { versionId, nodes: changed, connections });
  }
});
