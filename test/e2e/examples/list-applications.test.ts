import { seededId } from '../support/examples';
import { runningDemo, runningN8n } from '../support/running';
import { callService } from '../support/service';

const demo = runningDemo();
const n8n = runningN8n();

describe('The example that lists applications', () => {
  it('lists applications with their parts, and labels', async () => {
    const { list } = await callService<{ list: { item: { name: string }[] } }>(
      demo.sandbox,
      'list_applabels',
    );

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
