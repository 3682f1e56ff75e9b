import { seededId } from '../support/examples';
import { eventually } from '../support/patience';
import { publishPolling } from '../support/polling-example';
import { runningN8n, runningSandbox } from '../support/running';

const FILE = 'alert-on-change.json';

const sandbox = runningSandbox();
const n8n = runningN8n();

const add = async (customer: object) => (await sandbox.addRecords('customers', [{ ...customer }]))[0]!;
const change = async (id: string, values: object) =>
  await sandbox.changeRecord('customers', id, { ...values });
const remove = async (id: string) => await sandbox.removeRecord('customers', id);

describe('The example that reports what changed', () => {
  let id = '';
  let published = '';
  let told = 0;
  /** The customers of this story. */
  const own: string[] = [];

  /** The messages about these customers, once there is one more than before. */
  const messages = async (): Promise<string[]> => {
    const all = async () => {
      const executions = await n8n.endedExecutions(published);
      expect(executions.map(({ error }) => error)).toEqual(executions.map(() => undefined));
      return executions
        .flatMap((execution) => execution.items('Notify Someone'))
        .filter(({ recordId }) => own.includes(String(recordId)))
        .map(({ text }) => String(text));
    };
    const before = told;
    const texts = await eventually(all, ({ length }) => expect(length).toBeGreaterThan(before));
    told = texts.length;
    expect(told).toBe(before + 1);
    return texts;
  };

  beforeAll(async () => {
    id = await add({ Company: 'Changing Ltd', Rank: 'B', 'Credit Limit': '100' });
    own.push(id);
    published = await publishPolling(FILE);
  });

  afterAll(async () => {
    await n8n.post(`workflows/${published}/archive`, {});
  });

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
