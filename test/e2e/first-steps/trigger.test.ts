import { reloadWorkflow } from '../support/browser';
import type { Editor } from '../support/editor';
import { n8n, sandbox } from '../support/here';
import { clickUntil, eventually, untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { publishInEditor, unpublish } from '../support/published';
import { pollOften } from '../support/trigger-workflow';
import { useEditor } from '../support/use-browser';

const TRIGGER = 'Application Data Service Trigger';

let editor: Editor;
useEditor((own) => (editor = own));
let workflowId: string;

afterAll(async () => {
  await unpublish(n8n, workflowId);
});

/** One workflow, made from nothing: each story continues from the one before. */
describe('A first trigger', () => {
  it('is set up with an application, events, and a filter', async () => {
    await editor.newWorkflow();
    await editor.add('Triggers', 'On record updated', ['inv', 'Inventory', 'Orders']);
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
    workflowId = editor.workflowId;
    await pollOften(n8n, workflowId, '"A-01"');
    await reloadWorkflow(editor.page, workflowId);
    await publishInEditor(editor, n8n);
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
    await editor.showLastExecution(2);
    await editor.get('execution-preview-label').getByText('Succeeded').waitFor();
    await takePicture(editor.page, 'trigger-fired');
  });
});
