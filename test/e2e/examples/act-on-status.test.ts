import { seededId } from '../support/examples';
import { eventually } from '../support/patience';
import { publishPolling } from '../support/polling-example';
import { runningN8n, runningSandbox } from '../support/running';

const FILE = 'act-on-status.json';
const NEXT = 'Do What Comes Next';

const sandbox = runningSandbox();
const n8n = runningN8n();

type Values = Readonly<Record<string, string>>;
const order = (number: string, status: string): Values => ({ 'Order No': number, Status: status });
const add = async (...orders: Values[]) => await sandbox.addRecords('orders', orders);
const change = async (id: string | undefined, values: Values) =>
  await sandbox.changeRecord('orders', id!, values);

describe('The example that acts when a status changes to a certain value', () => {
  const added: string[] = [];
  let published = '';

  afterAll(async () => {
    await n8n.post(`workflows/${published}/archive`, {});
    for (const id of added) await sandbox.removeRecord('orders', id);
  });

  /** The orders of this story that passed the If node. */
  const acted = async () => {
    const executions = await n8n.endedExecutions(published);
    expect(executions.map(({ error }) => error)).toEqual(executions.map(() => undefined));
    const items = executions.flatMap((execution) => execution.items(NEXT));
    return items.filter(({ id }) => added.includes(String(id)));
  };

  it('acts once, when an order becomes Shipped, and not for other changes of a shipped order', async () => {
    added.push(...(await add(order('S-1', 'Confirmed'), order('S-2', 'Shipped'), order('S-3', 'New'))));
    published = await publishPolling(FILE);

    await change(added[1], { 'Delivery Name': 'Shipped before' });
    await change(added[2], { Status: 'Confirmed' });
    await change(added[0], { Status: 'Shipped' });
    await eventually(acted, ({ length }) => expect(length).toBeGreaterThan(0));
    // The same poll may have found other orders, which also pass the If node.
    added.push(...(await add(order('S-4', 'Shipped'))));
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
