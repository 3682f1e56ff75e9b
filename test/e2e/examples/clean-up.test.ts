import type { Page } from 'playwright-core';

import { readExample, seededId } from '../support/examples';
import { openForm, useForm } from '../support/form';
import { demo, sandbox } from '../support/here';
import { untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';

const FILE = 'clean-up.json';

describe('The example that cleans up', () => {
  let page: Page;
  /** Paid orders: two old ones and a newer one. */
  let old: string[];
  let newer: string;

  const paid = (number: string, on: string) => ({ 'Order No': number, 'Ordered On': on, Status: 'Paid' });
  const orders = async () => (await sandbox.records('orders')).map(({ id }) => id);
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
    const added = [paid('X-1', '2020-01-15'), paid('X-2', '2020-03-31'), paid('X-3', '2020-04-01')];
    const ids = await sandbox.addRecords('orders', added);
    [old, newer] = [ids.slice(0, 2), ids[2]!];
  });
  useForm(seededId(FILE), (own) => (page = own));
  afterAll(async () => await sandbox.removeRecord('orders', newer));

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
