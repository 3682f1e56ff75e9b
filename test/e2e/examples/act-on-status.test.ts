import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';
import { eventually } from '../support/patience';
import { PollingExample } from '../support/polling-example';

const FILE = 'act-on-status.json';
const NEXT = 'Do What Comes Next';

type Values = Readonly<Record<string, string>>;
const order = (number: string, status: string): Values => ({ 'Order No': number, Status: status });
const add = async (...orders: Values[]) => await sandbox.addRecords('orders', orders);
const change = async (id: string | undefined, values: Values) =>
  await sandbox.changeRecord('orders', id!, values);

describe('The example that acts when a status changes to a certain value', () => {
  const example = new PollingExample(() => n8n);
  const { own } = example;
  /** The orders of this story that passed the If node. */
  const acted = async () => await example.items(NEXT);

  afterAll(async () => {
    await example.archive();
    for (const id of own) await sandbox.removeRecord('orders', id);
  });

  it('acts once, when an order becomes Shipped, and not for other changes of a shipped order', async () => {
    own.push(...(await add(order('S-1', 'Confirmed'), order('S-2', 'Shipped'), order('S-3', 'New'))));
    await example.publish(FILE);

    await change(own[1], { 'Delivery Name': 'Shipped before' });
    await change(own[2], { Status: 'Confirmed' });
    await change(own[0], { Status: 'Shipped' });
    await eventually(acted, ({ length }) => expect(length).toBeGreaterThan(0));
    // The same poll may have found other orders, which also pass the If node.
    own.push(...(await add(order('S-4', 'Shipped'))));
    const items = await eventually(acted, ({ length }) => expect(length).toBeGreaterThan(1));

    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: own[0], changes: { Status: { from: 'Confirmed', to: 'Shipped' } } }),
        expect.objectContaining({ id: own[3], event: 'created' }),
      ]),
    );
    expect(items).toHaveLength(2);
  });

  it('waits to be published', async () => {
    expect(await n8n.get(`workflows/${seededId(FILE)}`)).toMatchObject({ active: false });
  });
});
