import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';
import { eventually } from '../support/patience';
import { PollingExample } from '../support/polling-example';

const FILE = 'alert-on-change.json';

const add = async (customer: object) => (await sandbox.addRecords('customers', [{ ...customer }]))[0]!;
const change = async (id: string, values: object) =>
  await sandbox.changeRecord('customers', id, { ...values });
const remove = async (id: string) => await sandbox.removeRecord('customers', id);

describe('The example that reports what changed', () => {
  let id = '';
  let told = 0;
  const example = new PollingExample(() => n8n);
  const { own } = example;

  /** The messages about the customers of this story, once there is one more than before. */
  const messages = async (): Promise<string[]> => {
    const before = told;
    const all = await eventually(
      async () => await example.items('Notify Someone', 'recordId'),
      ({ length }) => expect(length).toBeGreaterThan(before),
    );
    told = all.length;
    expect(told).toBe(before + 1);
    return all.map(({ text }) => String(text));
  };

  beforeAll(async () => {
    id = await add({ Company: 'Changing Ltd', Rank: 'B', 'Credit Limit': '100' });
    own.push(id);
    await example.publish(FILE);
  });

  afterAll(async () => await example.archive());

  it('reports the part, its old and its new value, and ignores parts that are not watched', async () => {
    await change(id, { Address: '1 New Street' });
    await change(id, { Rank: 'A', 'Credit Limit': '2500', Contact: 'Ada' });

    expect(await messages()).toContain(
      `Changing Ltd (record ${id}) was changed: Contact: (empty) → Ada; Rank: B → A; Credit Limit: 100 → 2500`,
    );
  });

  it('reports a new record, and its first change', async () => {
    const added = await add({ Company: 'Brand New Ltd' });
    own.push(added);
    expect(await messages()).toContain(`Brand New Ltd (record ${added}) is new`);

    await change(added, { Rank: 'C' });
    expect(await messages()).toContain(`Brand New Ltd (record ${added}) was changed: Rank: (empty) → C`);

    await remove(added);
    expect(await messages()).toContain(`Brand New Ltd (record ${added}) was deleted`);
  });

  it('reports a deleted record with its last name', async () => {
    await remove(id);

    expect(await messages()).toContain(`Changing Ltd (record ${id}) was deleted`);
  });

  it('does not start by itself, and can be run by hand', async () => {
    expect(await n8n.get(`workflows/${seededId(FILE)}`)).toMatchObject({ active: false });
    const execution = await n8n.run(seededId(FILE), 'When a Customer Changes');
    expect(execution.error).toBeUndefined();
    expect(execution.items('Notify Someone').length).toBeGreaterThan(0);
  });
});
