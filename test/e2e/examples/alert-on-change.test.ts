import { connectedExample, seededId } from '../support/examples';
import { runningDemo, runningN8n } from '../support/running';
import { callService } from '../support/service';
import { quickPolls } from '../support/trigger-workflow';
import { until } from '../support/until';

const APP = { app_id: '@customers' };

const { sandbox } = runningDemo();
const n8n = runningN8n();

describe('The example that tells what changed', () => {
  let id: string;

  /** Messages of a run by hand, which looks at the customers that changed last. */
  const look = async () => {
    const execution = await n8n.run(seededId('alert-on-change.json'), 'When a Customer Changes');
    expect(execution.error).toBeUndefined();
    return execution.items('Tell Somebody').map(({ text }) => String(text));
  };
  const change = async (parts: Record<string, string>) => {
    await callService(sandbox, 'update_data', {
      ...APP,
      data_id: id,
      '{{revision}}': '0',
      ...Object.fromEntries(Object.entries(parts).map(([part, value]) => [`{{${part}}}`, value])),
    });
  };

  beforeAll(async () => {
    const created = await callService<{ ID: string | number }>(sandbox, 'insert_data', {
      ...APP,
      '{{Company}}': 'Changing Ltd',
      '{{Rank}}': 'B',
      '{{Credit Limit}}': '100',
    });
    id = String(created.ID);
    const { allcnt } = await callService<{ allcnt: string | number }>(sandbox, 'count_data', APP);

    const first = await n8n.run(seededId('alert-on-change.json'), 'Keep First Copies');

    expect(first.error).toBeUndefined();
    expect(first.items('Keep the Copy')).toHaveLength(Number(allcnt));
  });

  it('has nothing to tell while all is as the copies say', async () => {
    expect(await look()).toEqual([]);
  });

  it('tells part, old and new value, once', async () => {
    await change({ Rank: 'A', 'Credit Limit': '2500', Contact: 'Ada' });

    expect(await look()).toEqual([
      `Changing Ltd (record ${id}) was changed: Contact: (empty) → Ada; Rank: B → A; Credit Limit: 100 → 2500`,
    ]);
    expect(await look()).toEqual([]);
  });

  it('is silent about parts that are not watched', async () => {
    await change({ Address: '1 New Street' });

    expect(await look()).toEqual([]);
  });

  it('tells of a new record, which is known from then on', async () => {
    const { ID } = await callService<{ ID: string | number }>(sandbox, 'insert_data', {
      ...APP,
      '{{Company}}': 'Brand New Ltd',
    });

    expect(await look()).toEqual([`Brand New Ltd (record ${ID}) is new`]);
    expect(await look()).toEqual([]);
    await callService(sandbox, 'delete_data', { ...APP, data_id: String(ID) });
  });

  it('tells of a record that is gone, once it is published, and forgets its copy', async () => {
    const published = await publish();
    await callService(sandbox, 'delete_data', { ...APP, data_id: id });

    await until(async () => (await n8n.endedExecutions(published)).length > 0);
    const [execution] = await n8n.endedExecutions(published);
    await n8n.post(`workflows/${published}/archive`, {});

    expect(execution?.error).toBeUndefined();
    expect(execution?.items('Tell Somebody').map(({ text }) => text)).toEqual([
      `Changing Ltd (record ${id}) was deleted`,
    ]);
    expect(execution?.items('Forget the Copy')).toEqual([expect.objectContaining({ recordId: id })]);
  });

  it('waits to be published', async () => {
    expect(await n8n.get(`workflows/${seededId('alert-on-change.json')}`)).toMatchObject({ active: false });
  });
});

/** A copy of the example that polls every few seconds, published; resolves once it knows how things are. */
async function publish(): Promise<string> {
  const example = connectedExample('alert-on-change.json');
  const nodes = example.nodes.map((node) =>
    node.parameters?.pollTimes
      ? { ...node, parameters: { ...node.parameters, pollTimes: quickPolls() } }
      : node,
  );
  const { id, versionId } = await n8n.post<{ id: string; versionId: string }>('workflows', {
    ...example,
    nodes,
  });
  await n8n.post(`workflows/${id}/activate`, { versionId });
  const remembered = async () => (await n8n.get<{ staticData: object | null }>(`workflows/${id}`)).staticData;
  await until(async () => (await remembered()) !== null);
  expect(await remembered()).not.toBeNull();
  return id;
}
