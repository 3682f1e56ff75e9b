import type { Browser, Page } from 'playwright-core';

import { SandboxControl } from '../../support/sandboxControl';
import { launchChromium } from '../support/browser';
import { seededId } from '../support/examples';
import { openForm, sendForm, visitorsPage } from '../support/form';
import { takePicture } from '../support/pictures';
import { endedExecution, publish, unpublish } from '../support/published';
import { runningDemo, runningN8n } from '../support/running';

interface StoredFile {
  readonly id: string;
  readonly name: string;
}

const demo = runningDemo();
const n8n = runningN8n();
const sandbox = new SandboxControl(demo.sandbox);
const workflow = seededId('form-to-record.json');
const form = `${demo.n8nUrl}/form/purchase-request`;

let browser: Browser;
let page: Page;
/** The number of executions before this story. */
let runsBefore: number;

beforeAll(async () => {
  browser = await launchChromium();
  page = await visitorsPage(browser);
  runsBefore = await publish(n8n, workflow);
});

afterAll(async () => {
  await sandbox.clearFaults();
  await unpublish(n8n, workflow);
  await browser.close();
});

describe('The form of the example', () => {
  it('creates a record from the answers, with both files, and shows its number', async () => {
    await openForm(page, form);
    await page.getByLabel('What do you need?').fill('Standing desk');
    await page.getByLabel('Why?').fill('Back pain\nDoctor advised it');
    await page.getByLabel('Amount').fill('640.50');
    await page.getByLabel('Needed by').fill('2026-12-24');
    await page.getByLabel('Quotation').setInputFiles([
      { name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 offer') },
      { name: '見積書.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
    ]);
    await page.getByLabel('Needed by').blur();
    await takePicture(page, 'form-to-record-form', page.locator('#n8n-form'));

    const { title, text } = await sendForm(page);

    await takePicture(page, 'form-to-record-answer', page.locator('.card'));
    expect(title).toBe('Thank you');
    const id = /^Your request has the number (\d+)\.$/.exec(text)?.[1] ?? '';
    const request = await storedRequest(id);
    expect(request).toMatchObject({
      Subject: 'Standing desk',
      // Browsers send line breaks as CR LF.
      Reason: 'Back pain\r\nDoctor advised it',
      Amount: '640.5',
      'Needed By': '2026-12-24',
    });
    const files = request.Quotation as StoredFile[];
    expect(files.map(({ name }) => name)).toEqual(['offer.pdf', '見積書.png']);
    expect((await download(files[0])).toString()).toBe('%PDF-1.7 offer');
    expect([...(await download(files[1]))]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect((await endedExecution(n8n, workflow, runsBefore + 1)).status).toBe('success');
  });

  it('accepts an answer without a file, a reason and a date', async () => {
    await openForm(page, form);
    await page.getByLabel('What do you need?').fill('Desk lamp');
    await page.getByLabel('Amount').fill('30');

    const { text } = await sendForm(page);

    const request = await storedRequest(/\d+/.exec(text)?.[0] ?? '');
    expect(request).toMatchObject({ Subject: 'Desk lamp', Amount: '30' });
    expect(request.Quotation ?? []).toEqual([]);
  });

  it('says why nothing was saved, and the execution fails', async () => {
    const before = (await sandbox.records('requests')).length;
    await sandbox.setFaults([
      { kind: 'ng', action: 'insert_data', errorno: -121, message: 'W:The amount needs approval [W121]' },
    ]);
    await openForm(page, form);
    await page.getByLabel('What do you need?').fill('A forklift');
    await page.getByLabel('Amount').fill('30000');

    const { title, text } = await sendForm(page);

    expect(title).toBe('Your request was not saved');
    expect(text).toContain('The amount needs approval');
    const execution = await endedExecution(n8n, workflow, runsBefore + 3);
    expect(execution.status).toBe('error');
    expect(execution.error?.message).toContain('The amount needs approval');
    expect(await sandbox.records('requests')).toHaveLength(before);
  });
});

async function storedRequest(id: string): Promise<Readonly<Record<string, unknown>>> {
  const requests = await sandbox.records('requests');
  return requests.find((request) => request.id === id)?.values ?? {};
}

/** A file as the service stores it (interface.md, "download_data_file"). */
async function download(file: StoredFile | undefined): Promise<Buffer> {
  const query = new URLSearchParams({
    action: 'download_data_file',
    app_id: '304',
    field_id: '110',
    id: file?.id ?? '',
  });
  const response = await fetch(`${sandbox.baseUrl}/appsuite.cgi?${query.toString()}`, {
    headers: { 'X-Service-Auth': sandbox.accessKey },
  });
  return Buffer.from(await response.arrayBuffer());
}
