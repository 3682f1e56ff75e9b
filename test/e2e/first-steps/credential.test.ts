import type { Browser } from 'playwright-core';

import { launchChromium } from '../support/browser';
import { Editor } from '../support/editor';
import { ownersPage } from '../support/owner-page';
import { eventually, repeat } from '../support/patience';
import { takePicture } from '../support/pictures';
import { runningDemo, runningN8n } from '../support/running';

const demo = runningDemo();
const { baseUrl, accessKey } = demo.sandbox;
const NAME = 'Our customers and orders';

let browser: Browser;
let editor: Editor;

beforeAll(async () => {
  browser = await launchChromium();
  editor = new Editor(await ownersPage(browser), demo);
});

afterAll(async () => {
  await browser.close();
  const credentials = await runningN8n().get<{ id: string; name: string }[]>('credentials');
  for (const { id } of credentials.filter(({ name }) => name === NAME)) {
    await runningN8n().delete(`credentials/${id}`);
  }
});

/** One form, as a person fills it in: first wrong, then right. */
describe('A new credential', () => {
  const form = () => editor.get('editCredential-modal');

  /** Types into the two required fields and saves, so n8n tests the credential. */
  async function save(address: string, key: string): Promise<void> {
    await editor.type('baseUrl', address);
    await editor.type('accessKey', key);
    await editor.get('credential-save-button').click();
  }

  /** The sentence that the form shows. */
  async function sentence(expected: RegExp): Promise<string> {
    const more = form().getByText('More details');
    const shown = form().getByText(expected);
    await repeat(
      async (limit) => {
        await more.or(shown).first().waitFor(limit);
        // It may be the message of the attempt before, which disappears when the new answer arrives.
        if (!(await shown.isVisible())) await more.click(limit);
      },
      async (limit) => await shown.waitFor(limit),
    );
    return await shown.innerText();
  }

  it('is found by typing, and says what to enter', async () => {
    await editor.page.goto(`${demo.n8nUrl}/home/credentials`);
    await editor.page.getByRole('button', { name: 'Create credential' }).click();
    const type = editor.get('new-credential-type-select').locator('input').first();
    await repeat(
      async (limit) => {
        await type.click(limit);
        await type.fill('application data', limit);
        await editor.options.filter({ hasText: 'Application Data Service API' }).click(limit);
      },
      async (limit) =>
        await eventually(
          async () => await type.inputValue(limit),
          (value) => expect(value).toBe('Application Data Service API'),
          limit,
        ),
    );
    await editor.get('new-credential-type-button').click();

    await form().getByText("For desknet's NEO, enter X-Desknets-Auth").waitFor();
    const name = editor.get('credential-name');
    await repeat(
      async (limit) => {
        await name.click(limit);
        await editor.page.keyboard.press('ControlOrMeta+A');
        await editor.page.keyboard.type(NAME);
        await editor.page.keyboard.press('Enter');
      },
      // n8n keeps the text in a hidden element beside the input, which sets the width.
      async (limit) =>
        await name
          .getByText(NAME)
          .first()
          .waitFor({ ...limit, state: 'attached' }),
    );
  });

  it('says that the key is wrong, and where to look', async () => {
    await save(baseUrl, 'no-such-key-4711');

    const text = await sentence(/access key/);
    expect(text).toContain('The service did not accept the access key');
    expect(text).toContain('Check the access key and the authentication header name in the credential.');
    expect(text).not.toContain('4711');
    await takePicture(editor.page, 'credential-wrong-key', form());
  });

  it('says that nothing answers at the address, and what to check', async () => {
    await save('http://127.0.0.1:9/cgi-bin/dneo', accessKey);

    expect(await sentence(/Nothing answers/)).toMatch(
      /^Nothing answers at http:\/\/127\.0\.0\.1:9\. Check host and port of the base URL/,
    );
  });

  it('says that the address leads elsewhere, and which part of it to check', async () => {
    await save(`${baseUrl}/elsewhere/`, accessKey);

    const text = await sentence(/no application-data service/);
    expect(text).toContain('Check the base URL and the data module in the credential');
  });

  it('is tested successfully with the address and the key of the service', async () => {
    await save(baseUrl, accessKey);

    await editor.get('credentials-config-container-test-success').waitFor();
    await takePicture(editor.page, 'credential', form());
  });

  it('is listed under its name', async () => {
    await editor.page.goto(`${demo.n8nUrl}/home/credentials`);

    await editor.get('resources-list-item').filter({ hasText: NAME }).waitFor();
  });
});
