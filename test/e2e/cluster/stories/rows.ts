import { actionNode, chain, makeItems, n8nNode, START } from '../../support/workflow';
import type { ClusterPlace } from '../support/place';
import { slowDown } from './writing';

const ROWS = 15;

export function rowsFromTwoWorkers(here: () => ClusterPlace): void {
  describe('Rows added to one record by two workers at once', () => {
    it('all exist, each once', async () => {
      const { cluster, credential, sandbox, save } = here();
      const [recordId = ''] = await sandbox.addRecords('orders', [{ 'Order No': 'Shared by two workers' }]);
      await slowDown(sandbox);
      const since = await sandbox.lastCall();
      const writers = ['left', 'right'].map(async (writer) => {
        const workflow = await save(writerOf(writer, recordId, credential));
        return await cluster.rest.run(workflow, START);
      });

      const executions = await Promise.all(writers);
      await sandbox.clearFaults();

      expect(executions.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
      expect(executions.flatMap(({ id }) => cluster.workersOf(id)).sort()).toEqual(['worker-1', 'worker-2']);
      const order = (await sandbox.records('orders')).find(({ id }) => id === recordId);
      const items = (order?.values.Lines as { Item: string }[]).map(({ Item }) => Item);
      expect(items.toSorted()).toEqual([...rowsOf('left'), ...rowsOf('right')].sort());
      // They did write at the same time: the service refused one update because the other was faster.
      const updates = (await sandbox.log(since)).filter(({ action }) => action === 'update_data');
      expect(updates.some(({ outcome }) => outcome !== 'ok')).toBe(true);
    });
  });
}

function rowsOf(writer: string): string[] {
  return Array.from({ length: ROWS }, (_, row) => `${writer} ${row}`);
}

/** A workflow that adds its rows one after the other, each with its own run of the node. */
function writerOf(writer: string, recordId: string, credential: { id: string; name: string }): object {
  const row = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
  const add = actionNode('Add', credential, ['tableRow', 'add', 'orders'], {
    recordId,
    tablePart: 'Lines',
    row,
  });
  const workflow = chain(`Rows of ${writer}`, [
    ...makeItems(rowsOf(writer).map((Item) => ({ Item }))),
    n8nNode('Each', 'splitInBatches', 3, { options: {} }),
    // Who is slower every time, in another process, tries again.
    { ...add, retryOnFail: true, maxTries: 5, waitBetweenTries: 100 },
  ]);
  const next = (node: string) => [{ node, type: 'main', index: 0 }];
  return {
    ...workflow,
    connections: {
      ...workflow.connections,
      Each: { main: [[], next('Add')] },
      Add: { main: [next('Each')] },
    },
  };
}
