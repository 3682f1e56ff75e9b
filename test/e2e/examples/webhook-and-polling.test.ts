import { readExample } from '../support/examples';
import { sandbox } from '../support/here';
import { OwnN8n } from '../support/own-n8n';
import { eventually } from '../support/patience';
import { PollingExample } from '../support/polling-example';
import { endedExecution } from '../support/published';

const FILE = 'webhook-and-polling.json';
const TOKEN = 'a-long-text-of-this-story';
const APP = { app_id: '@customers' };

/** The sandbox that all stories share. It runs on while this story's n8n is down. */

const add = async (company: string) =>
  (await sandbox.call<{ ID: string }>('insert_data', { ...APP, '{{Company}}': company })).ID;
const change = async (id: string, contact: string) =>
  await sandbox.call('update_data', { ...APP, data_id: id, '{{revision}}': '0', '{{Contact}}': contact });

describe('The example with both triggers', () => {
  const own = new OwnN8n('webhook-and-polling');
  const example = new PollingExample(() => own.rest);
  const added = example.own;

  beforeAll(async () => {
    await own.start();
  });

  afterAll(async () => {
    await sandbox.changeApplication('customers', { notification: null });
    await removeAdded();
    await own.remove();
  });

  const removeAdded = async () => {
    for (const id of added.splice(0)) await sandbox.removeRecord('customers', id);
  };

  /** Short texts of the changes to this story's customers, in the order in which they were reported. */
  const reported = async (): Promise<string[]> =>
    (await example.items('Each Change Once')).map(({ event, id, revision }) =>
      event === 'deleted' ? `deleted ${String(id)}` : `${String(event)} ${String(id)} ${String(revision)}`,
    );

  it('reports two changes as the service sends its notifications', async () => {
    await removeAdded();
    added.push(await add('To Be Changed'), await add('To Be Deleted'));
    const name = 'Shared';
    const { baseUrl, accessKey } = sandbox;
    const body = {
      name,
      type: 'applicationDataServiceApi',
      data: { baseUrl, accessKey, webhookToken: TOKEN },
    };
    const { id } = await own.rest.post<{ id: string }>('credentials', body);
    await example.publish(FILE, { id, name });
    const notification = { address: addressOf(own), token: TOKEN };
    await sandbox.changeApplication('customers', { notification });

    await change(added[0]!, 'Ann');
    added.push(await add('Notified'));

    await eventually(reported, (changes) =>
      expect(changes.sort()).toEqual([`created ${added[2]} 1`, `updated ${added[0]} 2`]),
    );
    await eventually(
      async () => await sandbox.notificationsTo(addressOf(own)),
      (sent) => expect(sent).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]),
    );
  });

  it('loses nothing while n8n is down, and reports nothing twice', async () => {
    // A poll has seen both customers, so the next changes are new to it.
    await endedExecution(own.rest, example.id, 3);
    await own.stop();

    await change(added[0]!, 'Bert');
    added.push(await add('While n8n Was Down'));
    await sandbox.call('delete_data', { ...APP, data_id: added[1]! });
    await own.start();

    const all = [
      `created ${added[2]} 1`,
      `created ${added[3]} 1`,
      `deleted ${added[1]}`,
      `updated ${added[0]} 2`,
      `updated ${added[0]} 3`,
    ];
    await eventually(reported, (changes) => expect(changes.sort()).toEqual(all.sort()));
  });

  it('forgets its keys once a week, and then reports an old change again', async () => {
    const twin = async () => {
      const before = (await own.rest.endedExecutions(example.id)).length;
      await notifyAgain(own, added[3]!);
      await endedExecution(own.rest, example.id, before + 1);
      return (await reported()).filter((change) => change === `created ${added[3]} 1`).length;
    };
    expect(await twin()).toBe(1);

    const weekly = await own.rest.run(example.id, 'Every Sunday Night');

    expect(weekly.error).toBeUndefined();
    expect(weekly.status).toBe('success');
    expect(await twin()).toBe(2);
  });
});

/** The address at which the example is notified. */
function addressOf(own: OwnN8n): string {
  const node = readExample(FILE).nodes.find(({ name }) => name === 'When Notified');
  return `${own.url}/webhook/${node?.webhookId}/webhook`;
}

/** Has the service notify about a new customer a second time. */
async function notifyAgain(own: OwnN8n, id: string): Promise<void> {
  const body = { app_id: '301', data_id: id, type: 'added', access_token: TOKEN };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(addressOf(own), { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}
