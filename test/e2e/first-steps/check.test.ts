import { readFileSync } from 'node:fs';

import type { Editor } from '../support/editor';
import { demo } from '../support/here';
import { clickUntil } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/use-browser';

let editor: Editor;
useEditor((own) => (editor = own));

describe('The check of a service', () => {
  it('is an operation, which answers one question after the other', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Check service behavior', ['cust', 'Customers', 'Inventory']);
    await editor.executeStep();

    const answers = editor.output.locator('table');
    await clickUntil(editor.output.getByText('Table', { exact: true }), answers);
    await answers.getByText('Does the access key work?').waitFor();
  });

  it('writes a report that contains no secrets', async () => {
    await clickUntil(
      editor.output.getByText('Binary', { exact: true }),
      editor.output.getByText('report.md'),
    );
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      editor.get('ndv-download-binary-data').click(),
    ]);

    expect(download.suggestedFilename()).toBe('report.md');
    const report = readFileSync(await download.path(), 'utf8');
    expect(report).toContain('Does the access key work?');
    expect(report).toContain('questions: 0 problem,');
    const { baseUrl, accessKey } = demo.sandbox;
    for (const secret of [accessKey, new URL(baseUrl).host, 'Customers', 'Company', 'Acme']) {
      expect(report).not.toContain(secret);
    }
    await takePicture(editor.page, 'check-report');
  });
});
