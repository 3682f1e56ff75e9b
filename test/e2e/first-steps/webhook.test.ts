import type { Locator } from 'playwright-core';

import type { Editor } from '../support/editor';
import { demo, sandbox } from '../support/here';
import { clickUntil, eventually, untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/use-browser';

const TOKEN = 'c0rrect-horse-battery-staple';
const NODE = 'Application Data Service Webhook';

let editor: Editor;
useEditor((own) => (editor = own));
let recordId: string | undefined;

afterAll(async () => {
  await sandbox.changeApplication('inventory', { notification: null });
  if (recordId !== undefined) await sandbox.removeRecord('inventory', recordId);
});

/**
 * One workflow, made from nothing, as docs/webhook-trigger.md describes it: each story continues from the one before.
 */
describe('A first webhook trigger', () => {
  it('begins with a token in the credential', async () => {
    await editor.page.goto(`${demo.n8nUrl}/home/credentials/${demo.credentialId}`);
    await editor.type('webhookToken', TOKEN);
    await editor.field('webhookToken').scrollIntoViewIfNeeded();
    await takePicture(editor.page, 'webhook-token', editor.get('editCredential-modal'));
    const [saved] = await Promise.all([
      editor.page.waitForResponse(
        (response) => response.request().method() === 'PATCH' && response.url().includes('/credentials/'),
      ),
      editor.get('credential-save-button').click(),
    ]);

    expect(saved.status()).toBe(200);
    await editor.get('credentials-config-container-test-success').waitFor();
  });

  it('shows the addresses that the service has to call', async () => {
    await editor.newWorkflow();
    await editor.add('Triggers', 'On record created', ['inv', 'Inventory', 'Orders'], NODE);
    await clickUntil(editor.page.getByText('Webhook URLs', { exact: true }), addressWith('/webhook-test/'));
    await takePicture(editor.page, 'webhook-address');
    await clickUntil(editor.page.getByText('Production URL', { exact: true }), addressWith('/webhook/'));
    await clickUntil(editor.page.getByText('Test URL', { exact: true }), addressWith('/webhook-test/'));
  });

  it('shows the record of a notification while it listens', async () => {
    const listening = editor.get('trigger-listening');
    await editor.get('trigger-execute-button').click();
    await listening.waitFor();
    await takePicture(editor.page, 'webhook-listening');
    const address = (await addressWith('/webhook-test/').innerText()).trim();
    const notification = { address, token: TOKEN };
    await sandbox.changeApplication('inventory', { notification });
    const { ID } = await sandbox.call('insert_data', { app_id: '@inventory', '{{Item No}}': 'TEST-EVENT' });
    recordId = String(ID);

    await editor.output.getByText('TEST-EVENT').waitFor();
    await takePicture(editor.page, 'webhook-received');
    await untilSays(editor.output, 'created');
    await eventually(
      async () => await sandbox.notificationsTo(address),
      (sent) => expect(sent).toMatchObject([{ record: ID, httpStatus: 200, outcome: 'ok' }]),
    );
  });

  /** The one of the node's two addresses that contains `path`. */
  function addressWith(path: string): Locator {
    return editor.page.locator('.webhook-url').filter({ hasText: path });
  }
});
