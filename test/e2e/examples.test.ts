import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { examplesFolder } from './support/paths';
import { runningDemo, runningN8n } from './support/running';
import { callService } from './support/service';

const TRIGGER = 'When clicking ‘Execute workflow’';

interface Example {
  readonly name: string;
  readonly nodes: readonly { readonly name: string; readonly type: string }[];
}

const demo = runningDemo();
const n8n = runningN8n();

describe('Every example', () => {
  const files = readdirSync(examplesFolder).filter((file) => file.endsWith('.json'));

  it.each(files)('%s is in the demo under its name and runs', async (file) => {
    const example = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as Example;
    const workflow = demo.workflows[file];

    expect(workflow?.name).toBe(example.name);
    const execution = await n8n.run(workflow?.id ?? '', startOf(example));

    expect(execution.error).toBeUndefined();
    expect(execution.status).toBe('success');
  });
});

/** The node a person would start the example from. */
function startOf({ nodes }: Example): string {
  return nodes.find(({ type }) => /trigger$/i.test(type))?.name ?? '';
}

describe('What the examples do', () => {
  const run = async (file: string) => await n8n.run(demo.workflows[file]?.id ?? '', TRIGGER);

  it('creates a record that the service then holds, and reads it back', async () => {
    const execution = await run('create-customer.json');

    const [created] = execution.items('Create Customer');
    expect(created).toEqual({ id: expect.stringMatching(/^\d+$/) as string, outcome: 'created' });
    const id = String(created?.id);
    const { record } = await callService<{ record: Record<string, { val: unknown }> }>(
      demo.sandbox,
      'get_data',
      {
        app_id: '@customers',
        data_id: id,
      },
    );
    expect(record.Company?.val).toMatch(/^Example Company \d{4}-\d{2}-\d{2} /);
    expect(record.Contact?.val).toBe('Ada Example');
    expect(record['Customer Since']?.val).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(execution.items('Read It Back')).toEqual([
      expect.objectContaining({
        id,
        Company: record.Company?.val,
        Contact: 'Ada Example',
        Rank: 'B',
        'Credit Limit': 2500,
        canWrite: true,
      }),
    ]);
  });

  it('lists the orders of the service, one row of the file each', async () => {
    const { allcnt } = await callService<{ allcnt: string | number }>(demo.sandbox, 'count_data', {
      app_id: '@orders',
    });

    const execution = await run('list-orders.json');

    const orders = execution.items('Get Orders');
    expect(orders).toHaveLength(Number(allcnt));
    expect(orders[0]).toMatchObject({
      'Order No': 'O-2026-001',
      Customer: 'Acme Engineering',
      Status: 'Confirmed',
    });
    const file = execution.binary('Make CSV File', 'data');
    expect(file?.fileName).toBe('orders.csv');
    const csv = await n8n.download(file ?? { id: '', fileName: '' });
    expect(csv.trimEnd().split('\n')).toHaveLength(Number(allcnt) + 1);
    expect(csv).toContain('O-2026-001');
  });

  it('lists applications with their parts, and labels', async () => {
    const { list } = await callService<{ list: { item: { name: string }[] } }>(
      demo.sandbox,
      'list_applabels',
    );

    const execution = await run('list-applications.json');

    expect(execution.items('Get Applications')).toContainEqual(
      expect.objectContaining({ name: 'Customers', status: 'running' }),
    );
    expect(execution.items('One Item per Part')).toContainEqual({
      name: 'Customers',
      parts: expect.objectContaining({ name: 'Company', identifier: 'company', type: 'textbox' }) as object,
    });
    expect(execution.items('Get Labels').map(({ name }) => name)).toEqual(list.item.map(({ name }) => name));
  });

  it('shows a change as the trigger gives it, and waits to be published', async () => {
    const { id = '' } = demo.workflows['alert-on-change.json'] ?? {};

    const execution = await n8n.run(id, 'When a Customer Changes');

    const [change] = execution.items('When a Customer Changes');
    expect(change).toEqual({
      event: 'created',
      id: expect.stringMatching(/^\d+$/) as string,
      revision: expect.any(Number) as number,
      previousRevision: null,
      canWrite: true,
      canDelete: true,
      Company: expect.any(String) as string,
      Contact: expect.anything() as string,
      Rank: expect.anything() as string,
    });
    expect(execution.items('What Happened')[0]).toEqual({
      text: `${String(change?.Company)} (record ${String(change?.id)}) was created`,
      revisions: `none → ${String(change?.revision)}`,
    });
    expect(await n8n.get(`workflows/${id}`)).toMatchObject({ active: false });
  });
});
