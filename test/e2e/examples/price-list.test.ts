import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import type { StoredRecord } from '../../support/sandboxTypes';
import { openNode } from '../support/browser';
import { seededId } from '../support/examples';
import { csvFile, fillInFile, type FormFile, sendForm, useForm } from '../support/form';
import { demo, n8n, sandbox } from '../support/here';
import { ownersPage } from '../support/owner-page';
import { examplesFolder } from '../support/paths';
import { untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { withExecution } from '../support/published';

const LOOK = 'Show what would change';
const APPLY = 'Apply the changes';
const CHANGES = ['L-0900: removed', 'B-0008: Price 0.35 → 0.38', 'T-0040: new'];

const workflow = seededId('price-list.json');

let browser: Browser;
let page: Page;

useForm(workflow, (own, theirs) => ([page, browser] = [own, theirs]));

describe('The example that keeps a price list in step with a file', () => {
  let inStep: readonly StoredRecord[];

  it('first shows what would change, and writes nothing', async () => {
    const before = await stored();

    const { title, text } = await send(join(examplesFolder, 'price-list.xlsx'), LOOK);

    await takePicture(page, 'price-list-answer', page.locator('.card'));
    expect(title).toBe('This would change');
    expect(text.split('\n')).toEqual(CHANGES);
    expect(await stored()).toEqual(before);
  });

  it('imports the same file: adds, changes and removes, and keeps the remarks', async () => {
    const { title, text } = await send(join(examplesFolder, 'price-list.xlsx'), APPLY);

    expect(title).toBe('The price list is in step');
    expect(text.split('\n')).toEqual(['B-0008: changed', 'T-0040: new', 'L-0900: removed']);
    inStep = await stored();
    expect(inStep.map(({ values }) => [values['Item No'], values.Price, values.Remark ?? ''])).toEqual([
      ['B-0008', '0.38', ''],
      ['D-0100', '1290', 'Delivery takes two weeks.'],
      ['S-0020', '18.5', ''],
      ['K-0003', '2.6', ''],
      ['W-0008', '0.04', ''],
      ['T-0040', '89', ''],
    ]);
  });

  it('changes nothing when the same list is imported again, now as CSV', async () => {
    const { title, text } = await send(join(examplesFolder, 'price-list.csv'), APPLY);

    expect(title).toBe('Nothing differs');
    expect(text).toBe('6 items are as the file says.');
    expect(await stored()).toEqual(inStep);
  });

  it('refuses a file with mistakes as a whole, and names the lines', async () => {
    const { title, text } = await send(
      csvFile('Item No,Item,Price', 'A-1,Bolt,1', 'A-1,Bolt,2', ',Nut,3', 'A-2,Nut,few'),
      APPLY,
    );

    expect(title).toBe('Nothing was imported');
    expect(text.split('\n')).toEqual([
      'Line 3 has item A-1 a second time.',
      'Line 4 has no Item No.',
      'Line 5 has a Price that is not a number: few.',
    ]);
    expect(await stored()).toEqual(inStep);
  });

  it('fails and writes nothing for a truncated file', async () => {
    await fillInFile(page, 'price-list', csvFile('Item No,Item,Price', 'B-0008,Hex bolt M8,0.41'), APPLY);
    const { execution } = await withExecution(n8n, workflow, async () => await page.click('#submit-btn'));

    const { status, error, items } = execution;
    expect(status).toBe('error');
    expect(error?.message).toMatch(/^Sync refused to remove 5 records .* more than half of the 6 records/);
    expect(items('What Changed')).toEqual([]);
    expect(await stored()).toEqual(inStep);
    await page.getByText('Problem submitting response').waitFor();
  });
});

test('has the settings that the page about Sync shows', async () => {
  const owner = await ownersPage(browser);
  await openNode(owner, demo, workflow, 'Sync Price List');
  const settings = owner.locator('[data-test-id=ndv]');
  await settings.getByText('Part to Match On').first().waitFor();
  await settings.getByText('Max Removals').first().waitFor();

  await takePicture(owner, 'sync', settings);

  await untilSays(settings, /Records Not in the Input[\s\S]*Max Removals/);
});

async function send(file: FormFile, what: string): Promise<{ title: string; text: string }> {
  await fillInFile(page, 'price-list', file, what);
  return await sendForm(page);
}

async function stored(): Promise<readonly StoredRecord[]> {
  return await sandbox.records('prices');
}
