import { seededId } from '../support/examples';
import { eventually } from '../support/patience';
import { publishPolling } from '../support/polling-example';
import { runningDemo, runningN8n } from '../support/running';
import { callService } from '../support/service';

const FILE = 'act-on-status.json';
const APP = { app_id: '@orders' };
const NEXT = 'Do What Comes Next';

const { sandbox } = runningDemo();
const n8n = runningN8n();

const add = async (number: string, status: string) =>
  String(
    (
      await callService<{ ID: string }>(sandbox, 'insert_data', {
        ...APP,
        '{{Order No}}': number,
        '{{Status}}': status,
      })
    ).ID,
  );
const change = async (id: string, part: string, value: string) =>
  await callService(sandbox, 'update_data', {
    ...APP,
    data_id: id,
    '{{revision}}': '0',
    [`{{${part}}}`]: value,
  });

describe('The example that acts when a status changes to a certain value', () => {
  const added: string[] = [];
  let published = '';

  afterAll(async () => {
    await n8n.post(`workflows/${published}/archive`, {});
    for (const id of added) await callService(sandbox, 'delete_data', { ...APP, data_id: id });
  });

  /** The orders of this story that passed the If node. */
  const acted = async () => {
    const executions = await n8n.endedExecutions(published);
    expect(executions.map(({ error }) => error)).toEqual(executions.map(() => undefined));
    const items = executions.flatMap((execution) => execution.items(NEXT));
    return items.filter(({ id }) => added.includes(String(id)));
  };

  it('acts once, when an order becomes Shipped, and not for other changes of a shipped order', async () => {
    added.push(await add('S-1', 'Confirmed'), await add('S-2', 'Shipped'), await add('S-3', 'New'));
    published = await publishPolling(FILE);

    await change(added[1]!, 'Delivery Name', 'Shipped before');
    await change(added[2]!, 'Status', 'Confirmed');
    await change(added[0]!, 'Status', 'Shipped');
    await eventually(acted, ({ length }) => expect(length).toBeGreaterThan(0));
    // The same poll may have found other orders, which also pass the If node.
    added.push(await add('S-4', 'Shipped'));
    const items = await eventually(acted, ({ length }) => expect(length).toBeGreaterThan(1));

    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: added[0], changes: { Status: { from: 'Confirmed', to: 'Shipped' } } }),
        expect.objectContaining({ id: added[3], event: 'created' }),
      ]),
    );
    expect(items).toHaveLength(2);
  });

  it('waits to be published', async () => {
    expect(await n8n.get(`workflows/${seededId(FILE)}`)).toMatchObject({ active: false });
  });
});
