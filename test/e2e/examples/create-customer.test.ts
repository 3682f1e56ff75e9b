import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';

describe('The example that creates a customer', () => {
  it('creates a record in the service, and reads it back', async () => {
    const execution = await n8n.run(seededId('create-customer.json'), 'When clicking ‘Execute workflow’');

    const [created] = execution.items('Create Customer');
    expect(created).toEqual({ id: expect.stringMatching(/^\d+$/) as string, outcome: 'created' });
    const id = String(created?.id);
    const stored = (await sandbox.records('customers')).find((each) => each.id === id);
    const { Company, Contact, 'Customer Since': since } = stored!.values;
    expect(Company).toMatch(/^Example Company \d{4}-\d{2}-\d{2} /);
    expect(Contact).toBe('Ada Example');
    expect(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(execution.items('Read It Back')).toEqual([
      expect.objectContaining({
        id,
        Company,
        Contact: 'Ada Example',
        Rank: 'B',
        'Credit Limit': 2500,
        canWrite: true,
      }),
    ]);
  });
});
