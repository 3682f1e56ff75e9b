import type { Browser, Page } from 'playwright-core';

import {
  launchChromium,
  logInToEditor,
  openNode,
  takeScreenshot,
  watchForeignHosts,
} from './support/browser';
import { takePicture } from './support/pictures';
import { runningDemo } from './support/running';
import { callService } from './support/service';

interface Part {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly readonly: string;
  readonly system: string;
  readonly is_ref: string;
}

const demo = runningDemo();
const workflow = demo.workflows['create-customer.json']?.id ?? '';
let browser: Browser;
let page: Page;
let foreignHosts: ReadonlySet<string>;

beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
  foreignHosts = watchForeignHosts(page);
  await logInToEditor(page, demo);
});

afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  await openNode(page, demo, workflow, 'Create Customer');
});

describe('In the editor', () => {
  it('offers the applications of the service, narrowed by what is typed', async () => {
    const { list } = await callService<{ list: { item: { name: string }[] } }>(demo.sandbox, 'list_apps');
    const shown = page.locator('[data-test-id=rlc-item]:visible');

    await page.click('[data-test-id=resource-locator-application] [data-test-id=rlc-input-container] input');
    // While it loads, the list holds the chosen application alone.
    await shown.nth(list.item.length - 1).waitFor();
    await takeScreenshot(page, 'applications');
    expect(await trimmedTexts(shown)).toEqual(list.item.map(({ name }) => name));

    // The list opens with the cursor in its search field.
    await page.keyboard.type('order');
    await shown.filter({ hasText: 'Inventory' }).waitFor({ state: 'detached' });
    await shown.filter({ hasText: 'Orders' }).waitFor();
  });

  it('offers the writable parts of the application as fields', async () => {
    const { fields } = await callService<{ fields: { item: Part[] } }>(demo.sandbox, 'get_app', {
      app_id: '@customers',
    });
    const writable = fields.item.filter(
      (part) =>
        [part.readonly, part.system, part.is_ref].every((flag) => flag !== 'on') &&
        !['id', 'user', 'expression', 'rel_list'].includes(part.type),
    );
    const removeButtons = page.locator('[data-test-id^=remove-field-button-]');

    await removeButtons.nth(writable.length - 1).waitFor();
    await takeScreenshot(page, 'parts');

    const testIds = await Promise.all(
      (await removeButtons.all()).map((button) => button.getAttribute('data-test-id')),
    );
    const ids = testIds.map((testId) => testId?.replace('remove-field-button-', ''));
    expect(ids).toEqual(writable.map(({ id }) => id));
    const shown = await page.locator('[data-test-id=mapping-fields-container]').innerText();
    for (const { name } of writable) expect(shown).toContain(name);
  });

  it('runs the node and shows the record it has created', async () => {
    const output = page.locator('[data-test-id=output-panel]');

    await page.click('[data-test-id=node-execute-button]');
    await output.getByText('created', { exact: true }).first().waitFor();
    await takePicture(page, 'editor');

    const id = (await output.locator('tbody td').first().innerText()).trim();
    const { record } = await callService<{ record: Record<string, { val: unknown }> }>(
      demo.sandbox,
      'get_data',
      { app_id: '@customers', data_id: id },
    );
    expect(record.Contact?.val).toBe('Ada Example');
  });

  it('asks no other machine for anything', () => {
    expect([...foreignHosts]).toEqual([]);
  });
});

async function trimmedTexts(locator: ReturnType<Page['locator']>): Promise<string[]> {
  return (await locator.allInnerTexts()).map((text) => text.trim());
}
