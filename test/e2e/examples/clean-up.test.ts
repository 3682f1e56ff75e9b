import type { Browser, Page } from 'playwright-core';

import { launchChromium, preparePage } from '../support/browser';
import { readExample, seededId } from '../support/examples';
import { openForm } from '../support/form';
import { untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { runningDemo, runningN8n } from '../support/running';
import { callService } from '../support/service';

const FILE = 'clean-up.json';
const APP = { app_id: '@orders' };

const demo = runningDemo();
const n8n = runningN8n();

describe('The example that cleans up', () => {
  let browser: Browser;
  let page: Page;
  /** Paid orders: two old ones and a newer one. */
  let old: string[];
  let newer: string;

  const order = async (number: string, orderedOn: string) => {
    const parts = { '{{Order No}}': number, '{{Ordered On}}': orderedOn, '{{Status}}': 'Paid' };
    const { ID } = await callService<{ ID: string | number }>(demo.sandbox, 'insert_data', {
      ...APP,
      ...parts,
    });
    return String(ID);
  };
  const orders = async () => {
    const { list } = await callService<{ list: { item: { ID: { val: string | number } }[] } }>(
      demo.sandbox,
      'list_data',
      APP,
    );
    return list.item.map(({ ID }) => String(ID.val));
  };
  /** Fills in the first form and submits it. The next page shows the answer. */
  const nameDate = async (date: string) => {
    await openForm(page, formAddress());
    await page.fill('input[type=date]', date);
    await page.click('button[type=submit]');
  };
  const decide = async (what: string) => {
    await page.selectOption('select', what);
    await page.click('button[type=submit]');
  };
  const heading = async (text: string) => await page.getByRole('heading', { name: text }).waitFor();

  beforeAll(async () => {
    old = [await order('X-1', '2020-01-15'), await order('X-2', '2020-03-31')];
    newer = await order('X-3', '2020-04-01');
    const { versionId } = await n8n.get<{ versionId: string }>(`workflows/${seededId(FILE)}`);
    await n8n.post(`workflows/${seededId(FILE)}/activate`, { versionId });
    browser = await launchChromium();
    page = await browser.newPage();
    await preparePage(page);
  });

  afterAll(async () => {
    await browser.close();
    await n8n.post(`workflows/${seededId(FILE)}/deactivate`, {});
    await callService(demo.sandbox, 'delete_data', { ...APP, data_id: newer });
  });

  it('says that there is nothing to delete', async () => {
    await nameDate('2019-12-31');

    await heading('Nothing was deleted');
    await untilSays(page.locator('body'), 'There are no paid orders up to that day.');
  });

  it('shows what it would delete, and deletes nothing if the user declines', async () => {
    const before = await orders();
    await nameDate('2020-03-31');

    await heading('2 orders would be deleted');
    const text = await untilSays(page.locator('body'), 'X-2, no customer, 2020-03-31');
    expect(text).toContain('X-1, no customer, 2020-01-15');
    expect(text).not.toContain('X-3');
    await takePicture(page, 'clean-up-ask', page.locator('.card').first());
    await decide('Keep them');

    await heading('Nothing was deleted');
    await untilSays(page.locator('body'), 'You kept them.');
    expect(await orders()).toEqual(before);
  });

  it('deletes exactly these orders once the user agrees', async () => {
    const before = await orders();
    await nameDate('2020-03-31');
    await heading('2 orders would be deleted');
    await decide('Delete them');

    await heading('2 orders were deleted');
    await untilSays(page.locator('body'), `Records: ${old.join(', ')}`);
    expect(await orders()).toEqual(before.filter((id) => !old.includes(id)));
  });
});

/** The address of the published form. */
function formAddress(): string {
  const form = readExample(FILE).nodes.find(({ type }) => type.endsWith('.formTrigger'));
  return `${demo.n8nUrl}/form/${form?.webhookId}`;
}
