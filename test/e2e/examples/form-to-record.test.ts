import type { Page } from 'playwright-core';

import { seededId } from '../support/examples';
import { openForm, sendForm, useForm } from '../support/form';
import { demo, n8n, sandbox } from '../support/here';
import { takePicture } from '../support/pictures';
import { withExecution } from '../support/published';

interface StoredFile {
  readonly id: string;
  readonly name: string;
}

const workflow = seededId('form-to-record.json');
const form = `${demo.n8nUrl}/form/purchase-request`;

let page: Page;

useForm(workflow, (own) => (page = own));
afterAll(async () => await sandbox.clearFaults());

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

    const { returned, execution } = await withExecution(n8n, workflow, async () => await sendForm(page));

    const { title, text } = returned;
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
    // n8n's form hands the files over in the order in which they were written to its disk.
    const files = (request.Quotation as StoredFile[]).sort((a, b) => a.name.localeCompare(b.name, 'en'));
    expect(files.map(({ name }) => name)).toEqual(['offer.pdf', '見積書.png']);
    expect((await download(files[0])).toString()).toBe('%PDF-1.7 offer');
    expect([...(await download(files[1]))]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(execution.status).toBe('success');
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

    const { returned, execution } = await withExecution(n8n, workflow, async () => await sendForm(page));

    expect(returned.title).toBe('Your request was not saved');
    expect(returned.text).toContain('The amount needs approval');
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
