import type { Editor } from '../support/editor';
import { sandbox } from '../support/here';
import { eventually, textsOf, untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/use-browser';

let editor: Editor;
useEditor((own) => (editor = own));
let id = '';

afterAll(async () => {
  if (id !== '') await sandbox.removeRecord('customers', id);
});

/** One workflow, made from nothing: each story continues from the one before. */
describe('A first workflow', () => {
  it('finds the node by a few letters, with all its operations', async () => {
    await editor.newWorkflow();
    await editor.searchNode('appl data');
    await editor.findOperation('Actions', 'Create record');

    await eventually(
      async () => await textsOf(editor.get('node-creator-item-name')),
      (names) =>
        expect(names).toEqual(
          expect.arrayContaining([
            'On record updated',
            'Create record',
            'Add table row',
            'Upload attachments',
          ]),
        ),
    );
    await takePicture(editor.page, 'node-panel', editor.get('node-creator'));
    await editor.addNode('Actions', 'Create record');
    await untilSays(editor.get('node-title-container'), 'Create record');
  });

  it('asks for the application, and for nothing before that', async () => {
    await editor.get('empty-fields-notice').waitFor();
    const parts = await untilSays(
      editor.get('resource-mapper-container'),
      'With Map Each Column Manually, the parts appear here once an application is selected from the list',
    );
    expect(parts).not.toContain('Retry');

    await editor.applications.search('cust', (names) => {
      expect(names).toContain('Customers');
      expect(names).not.toContain('Orders');
    });
    await takePicture(editor.page, 'application-search');
    await editor.chooseApplication('cust', 'Customers', 'Orders');
    await editor.field('101').waitFor();
  });

  it('refuses a choice that does not exist, and lists the existing ones', async () => {
    await editor.type('101', 'Harbour Office Supplies');
    await editor.type('102', 'Nora Field');
    await editor.choose('105', 'B');
    await editor.type('109', '1500.5');
    await editor.type('110', '2026-11-02');
    await editor.type('107', 'Tools, Maintenance');
    await editor.field('103').hover();
    await takePicture(editor.page, 'mapping');
    await editor.type('107', 'Tools, Tooling');
    await editor.executeStep();

    const error = editor.get('node-error-message');
    await error.getByText('Part "Interests" (ID 107) does not accept "Tooling"').waitFor();
    await untilSays(editor.output, 'Fasteners, Tools, Machines, Maintenance');
    // While the run ends, the button is blank.
    await editor.get('ndv').locator('button[aria-busy=true]').first().waitFor({ state: 'detached' });
    await takePicture(editor.page, 'refused');
  });

  it('creates the record from texts, a number, a choice, a date and check boxes', async () => {
    await editor.type('107', 'Tools, Maintenance');
    await editor.executeStep();

    await editor.output.getByText('created', { exact: true }).waitFor();
    await editor.field('103').hover();
    await takePicture(editor.page, 'output');
    const records = await sandbox.records('customers');
    [id = ''] = await editor.firstRow();
    expect(records.find((record) => record.id === id)?.values).toMatchObject({
      Company: 'Harbour Office Supplies',
      Contact: 'Nora Field',
      Rank: 'B',
      Interests: ['Tools', 'Maintenance'],
      'Credit Limit': '1500.5',
      'Customer Since': '2026-11-02',
    });
  });

  it('reads the record back by the ID from the first node', async () => {
    await editor.closeNode();
    await editor.add('Actions', 'Get record', ['cust', 'Customers', 'Orders']);
    await editor.dragInput('id', 'recordId', id);
    await editor.executeStep();

    await editor.output.getByText('Harbour Office Supplies').waitFor();
    await eventually(
      async () => await textsOf(editor.output.locator('th')),
      (columns) =>
        expect(columns).toEqual(
          expect.arrayContaining(['id', 'revision', 'Company', 'Interests', 'Credit Limit']),
        ),
    );
    await takePicture(editor.page, 'record');
  });
});
