import { SandboxControl } from '../../../support/sandboxControl';
import { WORKERS } from '../../support/cluster';
import type { ClusterPlace } from '../support/place';

const TRIGGER = 'When clicking ‘Execute workflow’';

export function examplesOnWorkers(here: () => ClusterPlace): void {
  describe('The examples', () => {
    const run = async (file: string) => {
      const { cluster } = here();
      const execution = await cluster.rest.run(cluster.demo.workflows[file]?.id ?? '', TRIGGER);
      expect(execution.error).toBeUndefined();
      expect(execution.status).toBe('success');
      const ran = cluster.workersOf(execution.id);
      expect(ran).toHaveLength(1);
      expect(WORKERS).toContain(ran[0]);
      return execution;
    };

    it('create a record on a worker, and the service has it', async () => {
      const execution = await run('create-customer.json');

      const [created] = execution.items('Create Customer');
      const customers = await new SandboxControl(here().cluster.demo.sandbox).records('customers');
      expect(customers.find(({ id }) => id === created?.id)?.values.Company).toBe(
        execution.items('Read It Back')[0]?.Company,
      );
    });

    it('create a file on a worker, and the main serves it', async () => {
      const { cluster } = here();
      const execution = await run('list-orders.json');

      const file = execution.binary('Make CSV File', 'data');
      const rows = (await cluster.rest.download(file ?? { id: '', fileName: '' })).trimEnd().split('\n');
      expect(rows).toHaveLength(execution.items('Get Orders').length + 1);
    });

    it('list applications and labels on a worker', async () => {
      const execution = await run('list-applications.json');

      expect(execution.items('Get Applications')).toContainEqual(
        expect.objectContaining({ name: 'Customers', status: 'running' }),
      );
    });
  });
}
