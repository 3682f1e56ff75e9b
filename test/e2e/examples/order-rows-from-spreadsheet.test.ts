import { join } from 'node:path';

import type { Page } from 'playwright-core';

import type { StoredRecord } from '../../support/sandboxTypes';
import { seededId } from '../support/examples';
import { csvFile, fillInFile, type FormFile, sendForm, useForm } from '../support/form';
import { n8n, sandbox } from '../support/here';
import { examplesFolder } from '../support/paths';
import { takePicture } from '../support/pictures';
import { withExecution } from '../support/published';

interface Line {
  readonly id: string;
  readonly Item: string;
  readonly Quantity: string;
  readonly Price: string;
  readonly Due: string;
}

const workflow = seededId('order-rows-from-spreadsheet.json');

let page: Page;

useForm(workflow, (own) => (page = own));
afterAll(async () => await sandbox.clearFaults());

describe('The example that imports order rows from a spreadsheet', () => {
  let afterExcel: readonly StoredRecord[];

  it('creates the new orders of an Excel file, and adds missing rows to the others', async () => {
    const before = await order('O-2026-002');

    const { title, text } = await send(join(examplesFolder, 'order-rows.xlsx'));

    await takePicture(page, 'order-rows-answer', page.locator('.card'));
    expect(title).toBe('All orders are in');
    expect(text.split('\n').sort()).toEqual([
      'O-2026-002: changed',
      'O-2026-101: created',
      'O-2026-102: created',
    ]);
    const changed = await order('O-2026-002');
    expect(changed?.values.Note).toBe('Call before delivery.');
    expect(linesOf(changed)[0]).toEqual(linesOf(before)[0]);
    expect(linesOf(changed).slice(1)).toMatchObject([
      { Item: 'Drill bit set', Quantity: '4', Price: '39.9', Due: '2026-12-01' },
    ]);
    const created = await order('O-2026-101');
    expect(created?.values).toMatchObject({ 'Customer ID': '1', 'Ordered On': '2026-11-20', Total: '195' });
    expect(linesOf(created)).toMatchObject([
      { Item: 'Hex bolt M8', Quantity: '500', Price: '0.35', Due: '2026-12-05' },
      { Item: 'Washer, M8', Quantity: '500', Price: '0.04', Due: '2026-12-05' },
    ]);
    afterExcel = await sandbox.records('orders');
  });

  it('changes nothing when the same lines are imported again, now as CSV', async () => {
    const { text } = await send(join(examplesFolder, 'order-rows.csv'));

    expect(text.split('\n').sort()).toEqual([
      'O-2026-002: as it was',
      'O-2026-101: as it was',
      'O-2026-102: as it was',
    ]);
    expect(await sandbox.records('orders')).toEqual(afterExcel);
  });

  it('changes the rows that differ and keeps those that the file leaves out', async () => {
    const [first] = linesOf(await order('O-2026-101'));

    const { text } = await send(
      csvFile('Order No,Item,Quantity,Price', 'O-2026-101,"Washer, M8",800,', 'O-2026-101,Nut M8,500,0.06'),
    );

    expect(text).toBe('O-2026-101: changed');
    const changed = await order('O-2026-101');
    expect(changed?.values).toMatchObject({ 'Customer ID': '1', 'Ordered On': '2026-11-20' });
    expect(linesOf(changed)).toMatchObject([
      { ...first },
      { Item: 'Washer, M8', Quantity: '800', Price: '0.04', Due: '2026-12-05' },
      { Item: 'Nut M8', Quantity: '500', Price: '0.06' },
    ]);
  });

  it('refuses a file with mistakes as a whole, and names the lines', async () => {
    const before = await sandbox.records('orders');

    const { title, text } = await send(
      csvFile(
        'Order No,Item,Quantity',
        'O-2026-103,Bolt,1',
        'O-2026-103,Bolt,2',
        ',Nut,3',
        'O-2026-104,Nut,few',
      ),
    );

    expect(title).toBe('Nothing was imported');
    expect(text.split('\n')).toEqual([
      'Line 3 has "Bolt" for order O-2026-103 a second time.',
      'Line 4 has no Order No.',
      'Line 5 has a Quantity that is not a number: few.',
    ]);
    expect(await sandbox.records('orders')).toEqual(before);
  });

  it('imports the other orders if the service refuses one, and the execution fails', async () => {
    await sandbox.setFaults([
      { kind: 'ng', action: 'insert_data', times: 1, errorno: -121, message: 'W:Customer is blocked [W121]' },
    ]);

    const lines = csvFile('Order No,Item,Quantity', 'O-2026-105,Bolt,1', 'O-2026-106,Nut,2');
    const { returned, execution } = await withExecution(n8n, workflow, async () => await send(lines));

    const { title, text } = returned;
    expect(title).toBe('Not all orders were imported');
    expect(text).toMatch(/O-2026-10[56]: failed\. .*Customer is blocked/);
    expect(text).toMatch(/O-2026-10[56]: created/);
    const both = [await order('O-2026-105'), await order('O-2026-106')].filter(
      (found) => found !== undefined,
    );
    expect(both).toHaveLength(1);
    expect(linesOf(both[0])).toHaveLength(1);
    expect(execution.status).toBe('error');
  });
});

async function send(file: FormFile): Promise<{ title: string; text: string }> {
  await fillInFile(page, 'order-lines', file);
  return await sendForm(page);
}

async function order(number: string): Promise<StoredRecord | undefined> {
  return (await sandbox.records('orders')).find(({ values }) => values['Order No'] === number);
}

function linesOf(found: StoredRecord | undefined): readonly Line[] {
  return (found?.values.Lines ?? []) as Line[];
}
