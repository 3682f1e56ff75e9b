import { SandboxControl } from '../../../support/sandboxControl';
import { WORKERS } from '../../support/cluster';
import type { ClusterPlace } from '../support/place';

export function examplesOnWorkers(here: () => ClusterPlace): void {
  it('An example creates a record on a worker, and the service has it', async () => {
    const { cluster } = here();
    const id = cluster.demo.workflows['create-customer.json']?.id ?? '';
    const execution = await cluster.rest.run(id, 'When clicking ‘Execute workflow’');

    expect([execution.error, execution.status]).toEqual([undefined, 'success']);
    const ran = cluster.workersOf(execution.id);
    expect(ran).toHaveLength(1);
    expect(WORKERS).toContain(ran[0]);
    const [created] = execution.items('Create Customer');
    const customers = await new SandboxControl(cluster.demo.sandbox).records('customers');
    expect(customers.find((each) => each.id === created?.id)?.values.Company).toBe(
      execution.items('Read It Back')[0]?.Company,
    );
  });
}
