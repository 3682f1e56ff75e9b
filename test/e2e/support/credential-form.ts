import type { Locator } from 'playwright-core';

import type { Editor } from './editor';
import { eventually, repeat } from './patience';

/** n8n's form of a credential for the service, as a person fills it in. */
export class CredentialForm {
  constructor(private readonly editor: Editor) {}

  get form(): Locator {
    return this.editor.get('editCredential-modal');
  }

  /** Finds the credential type by typing, and opens its form. */
  async open(): Promise<void> {
    const { editor } = this;
    await editor.page.goto(`${editor.demo.n8nUrl}/home/credentials`);
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
    await this.form.getByText("For desknet's NEO, enter X-Desknets-Auth").waitFor();
  }

  async rename(text: string): Promise<void> {
    const name = this.editor.get('credential-name');
    await repeat(
      async (limit) => {
        await name.click(limit);
        await this.editor.page.keyboard.press('ControlOrMeta+A');
        await this.editor.page.keyboard.type(text);
        await this.editor.page.keyboard.press('Enter');
      },
      // n8n keeps the text in a hidden element beside the input, which sets the width.
      async (limit) =>
        await name
          .getByText(text)
          .first()
          .waitFor({ ...limit, state: 'attached' }),
    );
  }

  /** Types into the two required fields and saves, so n8n tests the credential. */
  async save(address: string, key: string): Promise<void> {
    await this.editor.type('baseUrl', address);
    await this.editor.type('accessKey', key);
    await this.editor.get('credential-save-button').click();
  }

  /** The sentence that the form shows. */
  async sentence(expected: RegExp): Promise<string> {
    const more = this.form.getByText('More details');
    const shown = this.form.getByText(expected);
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

  async isAccepted(): Promise<void> {
    await this.editor.get('credentials-config-container-test-success').waitFor();
  }
}
