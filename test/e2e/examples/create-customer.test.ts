import { seededId } from '../support/examples';
import { runningDemo, runningN8n } from '../support/running';
import { callService } from '../support/service';

const demo = runningDemo();
const n8n = runningN8n();

describe('The example that creates a customer', () => {
  it('creates a record in the service, and reads it back', async () => {
    const execution = await n8n.run(seededId('create-customer.json'), 'When clicking ‘Execute workflow’');

    const [created] = execution.items('Create Customer');
    expect(created).toEqual({ id: expect.stringMatching(/^\d+$/) as string, outcome: 'created' });
    const id = String(created?.id);
    const { record } = await callService<{ record: Record<string, { val: unknown }> }>(
      demo.sandbox,
      'get_data',
      {
        app_id: '@customers',
        data_id: id,
      },
    );
    expect(record.Company?.val).toMatch(/^Example Company \d{4}-\d{2}-\d{2} /);
    expect(record.Contact?.val).toBe('Ada Example');
    expect(record['Customer Since']?.val).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(execution.items('Read It Back')).toEqual([
      expect.objectContaining({
        id,
        Company: record.Company?.val,
        Contact: 'Ada Example',
        Rank: 'B',
        'Credit Limit': 2500,
        canWrite: true,
      }),
    ]);
  });
});
