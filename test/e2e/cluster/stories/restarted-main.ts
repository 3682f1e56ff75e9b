import { WORKERS } from '../../support/cluster';
import { eventually } from '../../support/patience';
import { BEHIND_TRIGGER } from '../../support/trigger-workflow';
import { actionNode, chain, mapped, n8nNode, START } from '../../support/workflow';
import type { ClusterPlace } from '../support/place';
import type { NotifiedOrders } from './notified';
import { eachOnce, slowDown, untilInTheMiddle, writerOf, written } from './writing';

const RECORDS = 200;

export function restartedMain(here: () => ClusterPlace, notified: NotifiedOrders): void {
  describe('When the main is killed and started again', () => {
    it('a run in the middle of its writes succeeds, a waiting one continues with its file, a notification starts a run', async () => {
      const { cluster, credential, sandbox, save } = here();
      const [recordId = ''] = await sandbox.addRecords('customers', [{ Company: 'Waits for a Paper' }]);
      // Names of its own for each try.
      const [steady, early] = [`Steady ${recordId}`, `Before the Wait ${recordId}`];
      const { length: earlier } = await notified.executions(1);
      const waits = await cluster.rest.start(await save(waiting(recordId, early, credential)), START);
      const waitsNow = await cluster.rest.reached(waits, (status) => status === 'waiting');
      const [firstHalf = 'worker-1'] = cluster.workersOf(waits);
      await slowDown(sandbox);
      const writes = await cluster.rest.start(
        await save(writerOf(steady, RECORDS, 'create', credential)),
        START,
      );
      await untilInTheMiddle(sandbox, steady, RECORDS);

      const order = await cluster.without(['main'], async () => await notified.change(), 'kill');

      expect((await cluster.rest.reached(writes)).status).toBe('success');
      expect(await written(sandbox, steady)).toEqual(eachOnce(steady, RECORDS));
      expect(cluster.workersOf(writes)).toHaveLength(1);
      await sandbox.clearFaults();
      const runs = (await notified.executions(earlier + 1)).slice(earlier);
      expect(runs.map((run) => run.items(BEHIND_TRIGGER)[0]?.['Order No'])).toEqual([order]);

      const { resumeUrl } = waitsNow.items('Address')[0] as { resumeUrl: string };
      // The second half has to run on the other worker.
      const ended = await cluster.without([firstHalf], async () => {
        await eventually(
          async () => (await fetch(resumeUrl)).status,
          (status) => expect(status).toBe(200),
        );
        return await cluster.rest.reached(waits, (status) => status === 'success' || status === 'error');
      });

      expect(ended.error).toBeUndefined();
      expect(cluster.workersOf(waits)).toEqual(WORKERS);
      expect(ended.items('Upload')).toEqual([{ recordId, outcome: 'updated', files: ['Customers.csv'] }]);
      const created = (await sandbox.records('customers')).filter(({ values }) => values.Company === early);
      expect(created).toHaveLength(1);
    });
  });
}

/** Writes a record and exports to a file, waits for a call, then attaches the file to a record. */
function waiting(recordId: string, Company: string, credential: { id: string; name: string }): object {
  const resumeUrl = { id: 'url', name: 'resumeUrl', type: 'string', value: '={{ $execution.resumeUrl }}' };
  const file = { jsCode: "return [{ json: {}, binary: $('Export').first().binary }];" };
  return chain('Waits in the middle', [
    actionNode('Create', credential, ['record', 'create', 'customers'], {
      parts: mapped({ Company }),
    }),
    actionNode('Export', credential, ['record', 'export', 'customers'], { format: 'csv' }),
    n8nNode('Address', 'set', 3.4, { assignments: { assignments: [resumeUrl] }, options: {} }),
    n8nNode('Wait', 'wait', 1.1, { resume: 'webhook', options: {} }, { webhookId: 'waits-in-the-middle' }),
    n8nNode('File', 'code', 2, file),
    actionNode('Upload', credential, ['attachment', 'upload', 'customers'], {
      recordId,
      attachmentPart: 'Documents',
      binaryPropertyName: 'data',
    }),
  ]);
}
