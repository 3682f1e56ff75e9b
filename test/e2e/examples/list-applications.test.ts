import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';

describe('The example that lists applications', () => {
  it('lists applications with their parts, and labels', async () => {
    const { list } = await sandbox.call<{ list: { item: { name: string }[] } }>('list_applabels');

    const execution = await n8n.run(seededId('list-applications.json'), 'When clicking ‘Execute workflow’');

    expect(execution.items('Get Applications')).toContainEqual(
      expect.objectContaining({ name: 'Customers', status: 'running' }),
    );
    expect(execution.items('One Item per Part')).toContainEqual({
      name: 'Customers',
      parts: expect.objectContaining({ name: 'Company', identifier: 'company', type: 'textbox' }) as object,
    });
    expect(execution.items('Get Labels').map(({ name }) => name)).toEqual(list.item.map(({ name }) => name));
  });
});
