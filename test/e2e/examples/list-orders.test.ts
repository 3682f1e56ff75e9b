import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';

describe('The example that lists orders', () => {
  it('lists the orders of the service, one for each row of the file', async () => {
    const stored = await sandbox.records('orders');

    const execution = await n8n.run(seededId('list-orders.json'), 'When clicking ‘Execute workflow’');

    const orders = execution.items('Get Orders');
    expect(orders.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    expect(orders).toContainEqual(
      expect.objectContaining({
        'Order No': 'O-2026-001',
        Customer: 'Acme Engineering',
        Status: 'Confirmed',
      }),
    );
    const file = execution.binary('Make CSV File', 'data');
    expect(file?.fileName).toBe('orders.csv');
    const csv = await n8n.download(file ?? { id: '', fileName: '' });
    expect(csv.trimEnd().split('\n')).toHaveLength(orders.length + 1);
    expect(csv).toContain('O-2026-001');
  });
});
