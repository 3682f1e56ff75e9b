import { WORKERS } from '../../support/cluster';
import type { Execution } from '../../support/n8n';
import { eventually } from '../../support/patience';
import { publish } from '../../support/published';
import { BEHIND_TRIGGER } from '../../support/trigger-workflow';
import { chain, n8nNode, serviceNode } from '../../support/workflow';
import { type ClusterPlace, WEBHOOK_TOKEN } from '../support/place';

const PATH = 'webhook/notified-orders/webhook';

/** A workflow that starts when the service notifies n8n of its orders. */
export class NotifiedOrders {
  readonly #here: () => ClusterPlace;
  #workflowId = '';
  #changes = 0;

  constructor(here: () => ClusterPlace) {
    this.#here = here;
  }

  /** The address at one of the processes where n8n receives the notifications. */
  addressAt(url: string): string {
    return `${url}/${PATH}`;
  }

  /** Publishes the workflow, and has the service notify the webhook process from then on. */
  async publish(): Promise<void> {
    const { cluster, credential, sandbox, save } = this.#here();
    this.#workflowId = await save(workflowOf(credential));
    await publish(cluster.rest, this.#workflowId);
    const address = this.addressAt(cluster.demo.webhookUrl);
    await eventually(
      async () => (await fetch(address, { method: 'POST' })).status,
      (status) => expect(status).not.toBe(404),
    );
    await sandbox.changeApplication('orders', { notification: { address, token: WEBHOOK_TOKEN } });
  }

  /** Changes an order as a user, so that the service notifies n8n. @returns the changed text. */
  async change(): Promise<string> {
    const remark = `Change ${++this.#changes}`;
    const { sandbox } = this.#here();
    const { status } = await sandbox.call('update_data', {
      app_id: '@orders',
      data_id: '1',
      '{{revision}}': '0',
      '{{Order No}}': remark,
    });
    expect(status).toBe('ok');
    return remark;
  }

  /** The executions of the workflow that have ended, once there are `count`. */
  async executions(count: number): Promise<Execution[]> {
    return await eventually(
      async () => await this.#here().cluster.rest.endedExecutions(this.#workflowId),
      ({ length }) => expect(length).toBeGreaterThanOrEqual(count),
    );
  }
}

export function webhookProcess(here: () => ClusterPlace, notified: NotifiedOrders): void {
  describe('A notification to the webhook process', () => {
    beforeAll(async () => await notified.publish());

    it('runs the workflow once, on a worker, with the record that it reads', async () => {
      const { cluster, sandbox } = here();
      const order = await notified.change();

      const [execution, ...others] = await notified.executions(1);

      expect(others).toEqual([]);
      expect(execution?.items(BEHIND_TRIGGER)).toEqual([
        expect.objectContaining({ event: 'updated', id: '1', 'Order No': order }),
      ]);
      const ran = cluster.workersOf(execution?.id ?? '');
      expect(ran).toHaveLength(1);
      expect(WORKERS).toContain(ran[0]);
      expect(cluster.log('webhook')).toContain(`Enqueued execution ${execution?.id} `);
      await eventually(
        async () => await sandbox.notificationsTo(notified.addressAt(cluster.demo.webhookUrl)),
        (sent) => expect(sent).toMatchObject([{ httpStatus: 200, outcome: 'ok' }]),
      );
    });

    it('is refused without the token, and the main does not know its address', async () => {
      const { cluster } = here();
      const statusAt = async (url: string) => {
        const body = JSON.stringify({ app_id: '302', data_id: '1', type: 'updated', access_token: 'no' });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(notified.addressAt(url), { method: 'POST', headers, body })).status;
      };

      expect(await statusAt(cluster.demo.webhookUrl)).toBe(403);
      expect(await statusAt(cluster.demo.n8nUrl)).toBe(404);
      expect(await notified.executions(1)).toHaveLength(1);
    });
  });
}

function workflowOf(credential: ClusterPlace['credential']): object {
  const parameters = { events: ['created', 'updated'], options: {} };
  const trigger = serviceNode('When Notified', 'webhook', credential, 'orders', parameters);
  return chain('On each notification of an order', [n8nNode(BEHIND_TRIGGER, 'noOp', 1, {})], {
    ...trigger,
    webhookId: 'notified-orders',
  });
}
