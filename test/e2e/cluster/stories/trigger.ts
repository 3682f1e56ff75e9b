import { WORKERS } from '../../support/cluster';
import { eventually } from '../../support/patience';
import { WatchedCustomers } from '../../support/watched';
import type { ClusterPlace } from '../support/place';

/** The trigger logs this when it cannot use the state that n8n saved. */
const LEARNS_AGAIN = 'the trigger learns the records again';

export function triggerOnMain(here: () => ClusterPlace): void {
  describe('The trigger', () => {
    const customers = new WatchedCustomers(
      () => here().cluster.rest,
      () => here().sandbox,
    );

    beforeAll(async () => await customers.activate(here().credential));
    afterAll(async () => await customers.deactivate());

    it('polls on the main, and each change runs once, on a worker', async () => {
      const { cluster, sandbox } = here();
      await sandbox.changeRecord('customers', '2', { Contact: 'Tina Birch' });
      const [id] = await sandbox.addRecords('customers', [{ Company: 'Newcomer Ltd' }]);
      await sandbox.removeRecord('customers', '4');

      await customers.expectChanges([
        { event: 'updated', id: '2', previousRevision: 1, Contact: 'Tina Birch' },
        { event: 'created', id, previousRevision: null, Company: 'Newcomer Ltd' },
        { event: 'deleted', id: '4', previousRevision: 1 },
      ]);
      for (const { id: run } of await cluster.rest.endedExecutions(customers.workflowId)) {
        expect(cluster.workersOf(run)).toHaveLength(1);
        expect(cluster.log('main')).toContain(`Enqueued execution ${run} `);
      }
    });

    it('continues without workers and after a restart: nothing twice, nothing lost', async () => {
      const { cluster, sandbox } = here();
      const before = await customers.changes();
      await cluster.without(WORKERS, async () => {
        await sandbox.changeRecord('customers', '1', { Contact: '山田 花子 “😀”' });
        // Only the main can poll. Its executions wait in the queue.
        await eventually(queued, (waiting) => expect(waiting).toHaveLength(1));
        // PostgreSQL has to store this unchanged.
        expect(JSON.stringify(await customers.remembered())).toMatch(/"ads9\|[\x20-\x7e]+"/);
        await cluster.without(
          ['main'],
          async () => await sandbox.changeRecord('customers', '3', { Rank: 'B' }),
        );
      });

      await customers.expectChanges([
        ...before,
        { event: 'updated', id: '1', previousRevision: 1, Contact: '山田 花子 “😀”' },
        { event: 'updated', id: '3', previousRevision: 1, Rank: 'B' },
      ]);
      expect(cluster.log('main')).not.toContain(LEARNS_AGAIN);
    });

    /** Executions of the workflow that wait for a worker. */
    async function queued(): Promise<unknown[]> {
      const filter = encodeURIComponent(JSON.stringify({ workflowId: customers.workflowId }));
      const { results } = await here().cluster.rest.get<{ results: { status: string }[] }>(
        `executions?filter=${filter}&limit=100`,
      );
      return results.filter(({ status }) => status === 'new');
    }
  });
}
