import { SandboxControl } from '../../support/sandboxControl';
import { seededId } from '../support/examples';
import { runningDemo, runningN8n } from '../support/running';

const n8n = runningN8n();
const sandbox = new SandboxControl(runningDemo().sandbox);

describe('The example that tells of changes', () => {
  it('shows a change as the trigger gives it, and waits to be published', async () => {
    const id = seededId('alert-on-change.json');
    const customer = { Company: 'Latest Company', Contact: 'Ada Example', Rank: 'B' };
    const [record] = await sandbox.addRecords('customers', [customer]);

    const execution = await n8n.run(id, 'When a Customer Changes');

    const changes = execution.items('When a Customer Changes');
    expect(changes).toContainEqual({
      event: 'created',
      id: record,
      revision: 1,
      previousRevision: null,
      canWrite: true,
      canDelete: true,
      ...customer,
    });
    expect(execution.items('What Happened')).toContainEqual({
      text: `Latest Company (record ${record}) was created`,
      revisions: 'none → 1',
    });
    expect(await n8n.get(`workflows/${id}`)).toMatchObject({ active: false });
  });
});
