import type { StoredRecord } from '../../support/sandboxTypes';
import type { Editor } from '../support/editor';
import { sandbox } from '../support/here';
import { ListField } from '../support/list-field';
import { untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/use-browser';

let editor: Editor;
useEditor((own) => (editor = own));
const ORDERS = ['order', 'Orders', 'Inventory'] as const;
let orderId: string;
/** The only file in a list. */
const NAMED = [expect.stringMatching(/^Inventory\.csv \(\d+\)$/) as string];

beforeAll(async () => {
  const [id] = await sandbox.addRecords('orders', [
    { 'Order No': 'O-2026-077', Status: 'New', Lines: [{ Item: 'Hex bolt M8', Quantity: 10 }] },
  ]);
  orderId = String(id);
});

afterAll(async () => {
  await sandbox.removeRecord('orders', orderId);
});

async function order(): Promise<StoredRecord | undefined> {
  return (await sandbox.records('orders')).find(({ id }) => id === orderId);
}

describe('Rows of a table part', () => {
  it('are added by filling in the parts of the table', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Add table row', ORDERS);
    await editor.chooseRecord('O-2026-077');
    await editor.choose('tablePart', 'Lines');
    const parts = await sandbox.partIds('orders');
    const idOf = (part: string) => parts[`Lines.${part}`] ?? '';
    await editor.type(idOf('Item'), 'Washer M8');
    await editor.type(idOf('Quantity'), '40');
    await editor.type(idOf('Price'), '0.05');
    await editor.type(idOf('Packed'), 'Yes');
    await editor.executeStep();

    await editor.output.getByText('created', { exact: true }).waitFor();
    await takePicture(editor.page, 'table-row');
    expect((await order())?.values.Lines).toEqual([
      expect.objectContaining({ Item: 'Hex bolt M8', Quantity: '10' }),
      expect.objectContaining({ Item: 'Washer M8', Quantity: '40', Price: '0.05', Packed: ['Yes'] }),
    ]);
  });
});

/** The nodes create a file, attach it to a record, list it, download it and delete it. */
describe('Attachments', () => {
  it("are uploaded from the previous node's file", async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Export records to file', ['inv', 'Inventory', 'Orders']);
    await editor.closeNode();
    await editor.add('Actions', 'Upload attachments', ORDERS);
    await fillInPlace();
    await editor.executeStep();

    await editor.output.getByText('updated', { exact: true }).waitFor();
    await untilSays(editor.output, 'Inventory.csv');
    await takePicture(editor.page, 'attachment-upload');
    expect((await order())?.values.Attachments).toEqual([
      expect.objectContaining({ name: 'Inventory.csv' }) as unknown,
    ]);
  });

  it('are listed, with their names, types and sizes', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Get many attachments', ORDERS);
    await fillInPlace();
    await editor.executeStep();

    expect(await editor.firstRow()).toEqual(expect.arrayContaining([orderId, 'Inventory.csv', 'text/csv']));
    await takePicture(editor.page, 'attachment-list');
  });

  it('are downloaded, selected from a list, and can be viewed', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Download attachments', ORDERS);
    await fillInPlace();
    const files = new ListField(editor.page, 'attachmentIds');
    await files.choose('Inventory', 'Inventory.csv', (names) => expect(names).toEqual(NAMED));
    await editor.executeStep();

    await editor.output.getByText('Inventory.csv').waitFor();
    await untilSays(editor.output, 'text/csv');
    const [download] = await Promise.all([
      editor.page.waitForEvent('download'),
      editor.get('ndv-download-binary-data').last().click(),
    ]);
    expect(download.suggestedFilename()).toBe('Inventory.csv');
    await takePicture(editor.page, 'attachment-download');
  });

  it('are deleted by their names, from a list', async () => {
    await editor.newWorkflow();
    await editor.add('Actions', 'Delete attachments', ORDERS);
    await fillInPlace();
    const files = new ListField(editor.page, 'attachmentIds');
    await files.open((names) => expect(names).toEqual(NAMED));
    await takePicture(editor.page, 'attachment-delete');
    await files.choose('Inventory', 'Inventory.csv', (names) => expect(names).toEqual(NAMED));
    await editor.executeStep();

    // The first one is the name of a column.
    await editor.output.getByText('deleted', { exact: true }).last().waitFor();
    expect((await order())?.values.Attachments ?? []).toEqual([]);
  });

  async function fillInPlace(): Promise<void> {
    await editor.chooseRecord('O-2026-077');
    await editor.choose('attachmentPart', 'Attachments');
  }
});
