import { execFileSync } from 'node:child_process';

import type { Browser, Page } from 'playwright-core';

import { Receiver } from '../support/receiver';
import { Sandbox } from '../support/sandbox';
import { launchChromium, preparePage, takeScreenshot, watchForeignHosts } from './support/browser';
import { eventually, untilSays } from './support/patience';
import { takePicture } from './support/pictures';

const VIEWPORT = { width: 1500, height: 900 };

/** The sandbox's page in a browser, which shows what a workflow does while it does it. */
describe("The sandbox's page", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let page: Page;
  let foreignHosts: ReadonlySet<string>;
  const problems: string[] = [];

  beforeAll(async () => {
    sandbox = await Sandbox.start();
    browser = await launchChromium();
    page = await browser.newPage();
    await preparePage(page, VIEWPORT);
    foreignHosts = watchForeignHosts(page);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });
  beforeEach(async () => {
    await sandbox.reset();
    problems.length = 0;
    await page.goto(new URL('/', sandbox.baseUrl).href);
    await page.getByText('Live').waitFor();
  });

  const rowsAre = async (count: number) =>
    await eventually(
      async () => await page.locator('#record-rows tr').count(),
      (rows) => expect(rows).toBe(count),
    );
  /** Chooses an application and waits until one of its columns is visible: records appear after the name. */
  const choose = async (name: string, column: string) => {
    await page.getByRole('navigation').getByRole('button', { name }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.locator('#record-head').getByText(column, { exact: true }).waitFor();
  };

  /** Opens the form with a record, or empty. */
  const open = async (record?: string) =>
    record === undefined
      ? await page.getByText('Play a colleague').click()
      : await page.locator(`#record-rows tr[data-record="${record}"]`).getByRole('button').click();
  const field = (name: string) => page.locator('#edit-fields').getByLabel(name, { exact: true });
  const saveRecord = async () => await page.getByRole('button', { name: 'Save the record' }).click();

  it('shows the addresses, the applications, their parts and records', async () => {
    await untilSays(page.locator('#base-url'), sandbox.baseUrl);
    await untilSays(page.locator('#access-key'), sandbox.accessKey);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the base URL' }).click();
    await untilSays(page.locator('#news'), 'Base URL copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sandbox.baseUrl);
    await choose('Orders', 'Order No');
    await rowsAre(3);
    await untilSays(page.locator('#record-table'), 'Item: Drill press');
    await page.getByText('Parts', { exact: true }).click();
    await untilSays(page.locator('#part-rows'), 'SUM({Lines.Amount})');
    await takeScreenshot(page, 'sandbox-page');
    expect([...foreignHosts]).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('highlights what a call adds and changes, and announces it to screen readers', async () => {
    await choose('Inventory', 'Item No');
    await sandbox.call('insert_data', { app_id: '303', '{{Item No}}': 'LIVE-1' });
    await page.locator('#record-rows tr.fresh', { hasText: 'LIVE-1' }).waitFor();
    await rowsAre(5);
    await sandbox.call('update_data', {
      app_id: '303',
      data_id: '2',
      '{{revision}}': '0',
      '{{Shelf}}': 'Q-77',
    });
    await page.locator('#record-rows td.fresh', { hasText: 'Q-77' }).waitFor();
    await untilSays(page.locator('#news'), /^record 2 has changed$/);
    await sandbox.call('delete_data', { app_id: '303', data_id: '5' });
    await page.locator('#record-rows tr[data-record="5"]').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('lets a person play the colleague: adds, changes and deletes a record through the service', async () => {
    await choose('Inventory', 'Item No');
    await open();
    await page.locator('#edit-user').selectOption({ index: 1 });
    await field('Item No').fill('<b>PLAY-1</b>');
    await page.getByRole('button', { name: 'Add the record' }).click();
    const row = page.locator('#record-rows tr', { hasText: '<b>PLAY-1</b>' });
    await row.waitFor();
    await untilSays(row, 'by Ken Tanaka');

    await row.getByRole('button').click();
    await field('Shelf').fill('Z-1');
    await saveRecord();
    await page.locator('#record-rows tr', { hasText: 'Z-1' }).waitFor();
    const [stored] = (await sandbox.records('303')).filter(({ values }) => values.Shelf === 'Z-1');
    expect(stored).toMatchObject({ revision: 2, values: { 'Item No': '<b>PLAY-1</b>' } });

    await row.getByRole('button').click();
    await page.getByRole('button', { name: 'Delete the record' }).click();
    await row.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('has a field for each type of part, and tells a wrong value in words, in red', async () => {
    await choose('Customers', 'Company');
    await page.locator('#record-rows', { hasText: '11:00' }).waitFor();
    await open('1');
    const shown = async (name: string) => await field(name).inputValue();
    expect([await shown('Customer Since'), await shown('Call Before'), await shown('Rank')]).toEqual([
      ...['2019-04-01', '11:00', 'A'],
    ]);
    expect(await shown('Next Visit')).toMatch(/^\d{4}-\d\d-\d\dT10:30$/);
    await field('Credit Limit').fill('60000');
    await field('Call Before').fill('09:30');
    await field('Rank').selectOption('B');
    await field('Interests').getByLabel('Machines').check();
    await field('Account Managers').getByLabel('Ken Tanaka').uncheck();
    await saveRecord();
    await untilSays(page.locator('#edit-result'), 'Record 1 was saved');
    const [stored] = await sandbox.records('301');
    expect(stored?.values).toMatchObject({
      ...{ 'Credit Limit': '60000', 'Call Before': 34_200, Rank: 'B', 'Account Managers': ['1001'] },
      Interests: ['Fasteners', 'Tools', 'Machines'],
    });

    await open('1');
    await field('Credit Limit').fill('a lot');
    await saveRecord();
    await untilSays(
      page.locator('#edit-result.bad'),
      /^The part "Credit Limit" takes a number, not "a lot"$/,
    );
    expect(await field('Credit Limit').getAttribute('aria-invalid')).toBe('true');
    expect(problems).toEqual([]);
    // The style of a picture would be a problem of its own.
    await takePicture(page, 'sandbox-edit', page.locator('#edit'));
  });

  it('changes, adds and removes rows, and does not grow wider with them', async () => {
    await choose('Orders', 'Order No');
    await open('1');
    const lines = page.locator('#edit-fields .input_list');
    await lines.getByLabel('Quantity, row 1').fill('300');
    await lines.getByRole('button', { name: 'Remove row 2' }).click();
    await lines.getByRole('button', { name: 'Add a row' }).click();
    await lines.getByLabel('Item, row 2').fill('Washer, '.repeat(40));
    await saveRecord();
    await untilSays(page.locator('#edit-result'), 'Record 1 was saved');
    const [stored] = await sandbox.records('302');
    expect(stored?.values.Lines).toMatchObject([
      { id: '1', Item: 'Hex bolt M8', Quantity: '300', Packed: ['Yes'] },
      { Item: 'Washer, '.repeat(40) },
    ]);
    await page.locator('#record-rows', { hasText: 'Washer' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });

  it('shows calls as they arrive, and refused ones with their number', async () => {
    await sandbox.call('get_data', { app_id: '301', data_id: '99' });
    const call = page.locator('#calls li').first();
    await call.getByText('ng -10021').waitFor();
    await untilSays(call, /get_data[\s\S]*data_id=99/);
    await untilSays(page.locator('#statistics'), /^1 call, /);
  });

  it('lists the other users with their keys, and a call to copy that works', async () => {
    await page.getByText('Other users and keys').click();
    const users = await untilSays(page.locator('#user-rows'), 'sandbox-key-braun');
    expect(users).toContain('Credit Limit: none');
    expect(users).toContain('the key is switched off');
    await page.locator('#example-call', { hasText: 'curl' }).waitFor();
    const call = (await page.locator('#example-call').textContent()) ?? '';
    const [command, ...args] = call.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
    expect(JSON.parse(execFileSync(command!, ['-s', ...args], { encoding: 'utf8' }))).toMatchObject({
      status: 'ok',
    });
  });

  it('sets where an application sends notifications, and shows the results', async () => {
    const receiver = await Receiver.start();
    try {
      await choose('Inventory', 'Item No');
      await page.getByText('Notifications', { exact: true }).click();
      const form = page.locator('#notification-form');
      await form.getByLabel('Address').fill(receiver.address);
      await form.getByLabel('Access token').fill('token');
      await form.getByLabel('when a record is added').uncheck();
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Notifications are now sent').waitFor({ state: 'attached' });
      await sandbox.call('update_data', {
        app_id: '303',
        data_id: '2',
        '{{revision}}': '0',
        '{{Shelf}}': 'N-1',
      });
      await page.locator('#notification-log li', { hasText: 'record 2 updated' }).waitFor();
      expect(receiver.received).toMatchObject([{ body: { access_token: 'token', type: 'updated' } }]);
      await sandbox.call('insert_data', { app_id: '303', '{{Item No}}': 'N-2' });
      await page.locator('#record-rows tr', { hasText: 'N-2' }).waitFor();
      expect(receiver.received).toHaveLength(1);
      await form.getByRole('button', { name: 'Switch off' }).click();
      // Other news may replace the page's message about it.
      await eventually(
        async () => await form.getByLabel('Address').inputValue(),
        (address) => expect(address).toBe(''),
      );
      expect(problems).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('shows the records of a large application page by page', async () => {
    const records = Array.from({ length: 120 }, (_, at) => ({ N: at + 1 }));
    await sandbox.createApplication({ name: 'Paged', parts: [{ name: 'N', type: 'number' }], records });
    await choose('Paged', 'N');
    await page.getByText('71–120 of 120').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('21–70 of 120').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('1–20 of 120').waitFor();
    await rowsAre(20);
    await page.getByRole('button', { name: 'Older', disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('21–70 of 120').waitFor();
  });

  it('can be used by keyboard, has names for screen readers, and is readable in light and dark mode', async () => {
    await page.keyboard.press('Tab');
    await untilSays(page.locator(':focus'), /^Skip to the records$/);
    for (const summary of await page.locator('summary').all()) await summary.click();
    const controls = await eventually(
      async () =>
        (await page.locator('body').ariaSnapshot()).match(/- '?(button|combobox|textbox|spinbutton).*/g) ??
        [],
      ({ length }) => expect(length).toBeGreaterThan(20),
    );
    expect(controls.filter((control) => !control.includes('"'))).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await eventually(
        async () => await contrastOfText(page),
        (contrast) => expect(contrast).toBeGreaterThan(7),
      );
      await takeScreenshot(page, `sandbox-page-${colorScheme}`);
    }
  });
});

/** The contrast of the text (WCAG contrast, 1 to 21). */
async function contrastOfText(page: Page): Promise<number> {
  const colors = await page.evaluate<string[]>(
    '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
  );
  const [light = 0, dark = 0] = colors.map(luminance).sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((text) => {
    const value = Number(text) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
