import { demoCredential, n8n, sandbox } from '../support/here';
import { OpenStory } from '../support/open-story';
import { eventually, repeat } from '../support/patience';
import { useApplication } from '../support/use-application';
import { actionNode, START } from '../support/workflow';

const GOODS = 'e2e_clear';

const goods = useApplication({
  name: 'Goods to Clear',
  identifier: GOODS,
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Price', type: 'number' },
    { name: 'Kind', type: 'select', options: ['Small', 'Large'] },
    { name: 'Note', type: 'textbox' },
  ],
  records: [{ Name: 'Bolt', Price: '10', Kind: 'Small', Note: 'old' }],
});

const story = new OpenStory('Clear', () => {
  const { id, records } = goods();
  return [
    actionNode('Change', demoCredential, ['record', 'update', GOODS], {
      application: { __rl: true, mode: 'list', value: id, cachedResultName: 'Goods to Clear' },
      recordId: { __rl: true, mode: 'id', value: records[0] },
    }),
  ];
});

describe('Fields that were filled in and emptied again', () => {
  it('are saved as empty, beside the one that is left filled in', async () => {
    const editor = await story.open('Change');
    await editor.type(part('Name'), 'Nut');
    await editor.type(part('Price'), '12');
    await editor.choose(part('Kind'), 'Large');
    await editor.type(part('Note'), 'new');
    await eventually(savedValues, (values) => expect(values).toEqual(['Nut', '12', 'Large', 'new']));

    await editor.type(part('Name'), '');
    await editor.type(part('Price'), '');
    await reset(part('Kind'));
    await eventually(savedValues, (values) => expect(values).toEqual(['', '', '', 'new']));
  });

  it('leave alone what the record holds', async () => {
    const { status, error, items } = await n8n.run(story.workflowId, START);
    expect([status, error?.message]).toEqual(['success', undefined]);
    expect(items('Change')).toEqual([expect.objectContaining({ outcome: 'updated' })]);
    const [record] = await sandbox.records(GOODS);
    expect(record?.values).toMatchObject({ Name: 'Bolt', Price: '10', Kind: 'Small', Note: 'new' });
  });
});

function part(name: string): string {
  return goods().parts[name] ?? '';
}

/** The values of the four parts in the workflow as the editor has saved it by itself: an empty one is '' or null. */
async function savedValues(): Promise<unknown[]> {
  const { nodes } = await n8n.get<{ nodes: { name: string; parameters: { parts?: { value?: object } } }[] }>(
    `workflows/${story.workflowId}`,
  );
  const value = nodes.find(({ name }) => name === 'Change')?.parameters.parts?.value ?? {};
  return ['Name', 'Price', 'Kind', 'Note'].map(
    (name) => (value as Record<string, unknown>)[part(name)] ?? '',
  );
}

/** Empties a list, which has no empty entry, as n8n offers it in the menu of a field. */
async function reset(parameter: string): Promise<void> {
  const { page } = story.editor;
  const field = story.editor.field(parameter);
  const around = page
    .locator('.parameter-item, [data-test-id=mapping-fields-container] > div')
    .filter({ has: field });
  const entry = page.getByText('Reset Value', { exact: true }).last();
  await repeat(
    async (limit) => {
      await field.hover(limit);
      await around
        .last()
        .locator(
          '[data-test-id=parameter-options] [data-test-id=action-toggle], [data-test-id=action-toggle]',
        )
        .first()
        .click(limit);
      await entry.click(limit);
    },
    async (limit) =>
      await eventually(
        async () => await field.locator('input').first().inputValue(),
        (shown) => expect(shown).not.toBe('Large'),
        limit,
      ),
  );
}
