import type { ApplicationChange, StoredRecord } from '../../support/sandboxTypes';
import { openNodeOnCanvas } from '../support/browser';
import type { Editor } from '../support/editor';
import { sandbox } from '../support/here';
import { eventually, untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useApplication } from '../support/use-application';
import { useEditor } from '../support/use-browser';

let editor: Editor;
useEditor((own) => (editor = own));

const visitors = useApplication({
  name: 'Visitors',
  identifier: 'visitors',
  parts: [
    { name: 'Visitor', type: 'textbox' },
    { name: 'Badge', type: 'textbox' },
    { name: 'Purpose', type: 'select', options: ['Meeting', 'Delivery'] },
  ],
});

const change = async (changes: ApplicationChange) => await sandbox.changeApplication('visitors', changes);
const idOf = (part: string) => visitors().parts[part] ?? '';

/** One workflow: each story continues from the one before. */
describe('When an application changes after a workflow was made', () => {
  it('a node is filled in, and creates a record', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Create record', ['visit', 'Visitors', 'Orders']);
    await editor.type(idOf('Visitor'), 'Ada Example');
    await editor.type(idOf('Badge'), '17');
    await editor.choose(idOf('Purpose'), 'Meeting');
    await editor.executeStep();
    await editor.output.getByText('created', { exact: true }).waitFor();
    await editor.closeNode();
  });

  it('a renamed part keeps its value', async () => {
    await change({ parts: { Visitor: { name: 'Guest' } } });
    await openNode();
    await editor.executeStep();

    // The output still shows the record of the run before.
    await eventually(lastVisitor, (visitor) =>
      expect(visitor).toMatchObject({ id: '2', values: { Guest: 'Ada Example', Badge: '17' } }),
    );
    await editor.closeNode();
  });

  it('a removed part is told, and nothing is written', async () => {
    await change({ removeParts: ['Badge'], addParts: [{ name: 'Host', type: 'textbox' }] });
    // Opening the node would update its fields. Like a published workflow, it has to run as it was saved.
    await editor.page.locator('[data-test-id^=execute-workflow-button]').first().dispatchEvent('click');
    await editor.page.getByText('Problem in node').first().waitFor();
    await openNode();

    await editor.get('node-error-message').getByText('There is no part "102"').waitFor();
    await untilSays(editor.output, 'refresh the list of parts beside "Values to Send"');
    await takePicture(editor.page, 'removed-part');
    expect((await lastVisitor())?.id).toBe('2');
  });

  it('the opened node offers the current parts, and keeps the values', async () => {
    await editor.get('mapping-fields-container').getByText('Host', { exact: true }).waitFor();
    await editor.field(idOf('Badge')).waitFor({ state: 'detached' });
    await untilSays(editor.get('mapping-fields-container'), /Guest[\s\S]*Host/);
    await editor.choose(idOf('Purpose'), 'Delivery');
    await editor.executeStep();
    await editor.output.getByText('created', { exact: true }).waitFor();
    await eventually(lastVisitor, (visitor) =>
      expect(visitor).toMatchObject({ id: '3', values: { Guest: 'Ada Example', Purpose: 'Delivery' } }),
    );
  });

  it('the list and the run say that an application is not running', async () => {
    await change({ status: 'stopped' });
    await editor.executeStep();
    await editor.get('node-error-message').waitFor();
    await untilSays(editor.output, /stopped|not running/i);

    await editor.applications.open((names) => expect(names).toContain('Visitors (stopped)'));
    await takePicture(editor.page, 'stopped-application');
  });

  async function openNode(): Promise<void> {
    await openNodeOnCanvas(editor.page, 'Create record');
    await editor.field(idOf('Visitor')).waitFor();
  }

  async function lastVisitor(): Promise<StoredRecord | undefined> {
    return (await sandbox.records('visitors')).at(-1);
  }
});
