import { demoCredential } from '../support/here';
import { OpenStory } from '../support/open-story';
import { eventually, textsOf, untilSays } from '../support/patience';
import { actionNode, mapped, serviceNode } from '../support/workflow';

const application = { __rl: true, mode: 'list', value: '301', cachedResultName: 'Customers' };

/** The trigger is run by hand, so it never has to poll. */
const trigger = serviceNode('Watch', 'trigger', demoCredential, 'customers', {
  application,
  events: ['created', 'updated'],
});

const story = new OpenStory(
  'Read what came of it',
  () => {
    const nobody = { __rl: true, mode: 'id', value: '4711' };
    return [
      actionNode('Plan', demoCredential, ['record', 'create', 'customers'], {
        application,
        parts: mapped({ '101': 'Acme Two' }),
        options: { dryRun: true },
      }),
      actionNode('Remove', demoCredential, ['record', 'delete', 'customers'], {
        application,
        recordId: nobody,
      }),
      actionNode('Read', demoCredential, ['record', 'get', 'customers'], { application, recordId: nobody }),
    ];
  },
  trigger,
);

describe('Above the output', () => {
  it('a dry run says that nothing was written', async () => {
    const editor = await story.open('Plan');
    await editor.executeStep();
    await editor.output.getByText('Dry run: nothing was written').waitFor();
    await editor.output.getByText('created', { exact: true }).waitFor();
  });

  it('missing records are counted', async () => {
    const editor = await story.open('Remove');
    await editor.executeStep();
    await editor.output.getByText('Records not found, so there was nothing to delete: 1').waitFor();
    await editor.output.getByText('notFound', { exact: true }).first().waitFor();
  });
});

describe('In place of the output', () => {
  it('a missing record is reported, with its application', async () => {
    const editor = await story.open('Read');
    await editor.executeStep();
    await editor.get('node-error-message').getByText('There is no record 4711 in Customers').waitFor();
    await untilSays(editor.output, 'Check the ID.');
  });
});

describe('A trigger that is run by hand', () => {
  it('shows current records, marked as samples', async () => {
    const editor = await story.open('Watch');
    await editor.executeStep();
    const columns = await eventually(
      async () => await textsOf(editor.output.locator('th')),
      (heads) => {
        expect(heads[0]).toBe('event');
        expect(heads).toEqual(expect.arrayContaining(['sample', 'previousRevision']));
      },
    );
    const cells = async (column: string): Promise<string[]> =>
      await textsOf(editor.output.locator(`tbody tr td:nth-child(${columns.indexOf(column) + 1})`));
    await eventually(
      async () => await cells('sample'),
      (samples) => expect(new Set(samples)).toEqual(new Set(['true'])),
    );
    expect(await cells('previousRevision')).not.toContain('0');
  });
});
