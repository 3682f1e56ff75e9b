import { SandboxControl } from '../../support/sandboxControl';
import type { Fault, StoredRecord } from '../../support/sandboxTypes';
import type { Execution } from '../support/n8n';
import { demoCredential } from '../support/open-story';
import { runningDemo, runningN8n } from '../support/running';
import { actionNode, chain, mapped, n8nNode, START } from '../support/workflow';

const STOCK = 'e2e_writes';
const n8n = runningN8n();
const sandbox = new SandboxControl(runningDemo().sandbox);

/** The service does the work, then its automatic processing fails. */
const refusedAfter = (action: string, status: number): Fault => ({
  kind: 'ng',
  errorno: -1,
  message: 'Automatic processing failed',
  status,
  when: 'after',
  action,
  times: 1,
});

beforeAll(async () => {
  await sandbox.createApplication({
    name: 'Stock',
    identifier: STOCK,
    parts: [
      { name: 'Name', type: 'textbox' },
      { name: 'Price', type: 'number' },
      {
        name: 'Lines',
        type: 'input_list',
        children: [
          { name: 'Item', type: 'textbox' },
          { name: 'Qty', type: 'number' },
        ],
      },
      { name: 'Papers', type: 'files' },
    ],
    records: ['Bolt', 'Nut', 'Old'].map((Name) => ({
      Name,
      Price: '10',
      Lines: [{ Item: 'Box', Qty: '1' }],
    })),
  });
});

afterEach(async () => {
  await sandbox.clearFaults();
});

afterAll(async () => {
  await sandbox.removeApplication(STOCK);
});

/** What each kind of write leaves in the application, and says, when the service does the work and then fails. */
describe('A service that does the work and then fails', () => {
  it('gets a record once: Create says that it is not known whether it was created', async () => {
    await sandbox.setFaults([refusedAfter('insert_data', 503)]);
    const { status, error } = await run([{}], 'create', { parts: mapped({ Name: 'Cap', Price: 12 }) });

    expect(status).toBe('error');
    expect(error?.message).toContain('outcome unknown');
    expect((await named('Cap')).map(({ values }) => values.Price)).toEqual(['12']);
  });

  it('gets each row once: Update with rows says that it is not known whose they are', async () => {
    const [bolt] = await named('Bolt');
    await sandbox.setFaults([refusedAfter('update_data', 409)]);
    const { status, error } = await run([{}], 'update', {
      recordId: { __rl: true, mode: 'id', value: bolt?.id },
      parts: mapped({ Price: 11, Lines: '[{"Item":"Bag","Qty":2},{"Item":"Tin","Qty":3}]' }),
      options: { tableRowMode: 'merge' },
    });

    expect([status, error?.message]).toEqual(['error', expect.stringContaining('outcome unknown')]);
    const [{ values }] = (await named('Bolt')) as [StoredRecord];
    expect(values.Price).toBe('11');
    expect(values.Lines).toEqual([
      expect.objectContaining({ Item: 'Box', Qty: '1' }),
      expect.objectContaining({ Item: 'Bag', Qty: '2' }),
      expect.objectContaining({ Item: 'Tin', Qty: '3' }),
    ]);
  });

  it('loses no record but those that Sync says it has removed', async () => {
    const list = [
      { Name: 'Bolt', Price: 12 },
      { Name: 'Nut', Price: 10 },
      { Name: 'Washer', Price: 1 },
    ];
    await sandbox.setFaults([
      { kind: 'drop', when: 'after', action: 'update_data', times: 1 },
      { kind: 'drop', when: 'after', action: 'delete_data', times: 1 },
    ]);
    const { status, items } = await run(list, 'sync', {
      parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Name'], schema: [] },
      missing: 'delete',
    });

    expect(status).toBe('success');
    expect(items('Write').map(({ outcome }) => outcome)).toEqual([
      'updated',
      'unchanged',
      'created',
      'deleted',
      'deleted',
    ]);
    const kept = (await sandbox.records(STOCK)).map(({ values }) => [values.Name, values.Price]);
    expect(kept).toEqual([
      ['Bolt', '12'],
      ['Nut', '10'],
      ['Washer', '1'],
    ]);
  });

  it.each([
    ['without an answer it is verified', 503, 'success'],
    ['after a refusal nobody can know whose it is', 200, 'error'],
  ])('gets an uploaded file once, whole: %s', async (_, httpStatus, ended) => {
    const id = String((await sandbox.addRecords(STOCK, [{ Name: 'Nail' }]))[0]);
    const text = 'Delivery note: 40 nails\n'.repeat(5000);
    await sandbox.setFaults([refusedAfter('update_data', httpStatus)]);
    const { status, error } = await run([{ text }], 'upload', {
      recordId: { __rl: true, mode: 'id', value: id },
      attachmentPart: (await sandbox.partIds(STOCK)).Papers,
      binaryPropertyName: 'data',
    });

    expect([status, error?.message.includes('outcome unknown')]).toEqual([
      ended,
      ended === 'error' ? true : undefined,
    ]);
    const record = (await sandbox.records(STOCK)).find((each) => each.id === id);
    expect(record?.values.Papers).toEqual([expect.objectContaining({ name: 'note.txt', size: text.length })]);
  });
});

describe('Retry On Fail and On Error', () => {
  it('writes each item once, also if its expressions return something else in the next try', async () => {
    await sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'insert_data', skip: 1, times: 1 },
    ]);
    const parts = mapped({ Name: '={{ $json.name + " " + $now.toMillis() }}' });
    const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const { status, items } = await run([{ name: 'Once' }, { name: 'Once' }], 'create', { parts }, again);

    expect([status, items('Write').map(({ outcome }) => outcome)]).toEqual([
      'success',
      ['created', 'created'],
    ]);
    const made = (await sandbox.records(STOCK)).filter(({ values }) =>
      String(values.Name).startsWith('Once '),
    );
    expect(made).toHaveLength(2);
  });

  it('gives an error for each item where a credential cannot be used, and passes none on', async () => {
    const { baseUrl, accessKey } = runningDemo().sandbox;
    const data = { baseUrl, accessKey, timeZone: 'Nowhere/City' };
    const credential = { name: 'Without a zone', type: 'applicationDataServiceApi', data };
    const { id } = await n8n.post<{ id: string }>('credentials', credential);
    const settings = {
      onError: 'continueRegularOutput',
      credentials: { applicationDataServiceApi: { id, name: credential.name } },
    };
    const { status, items } = await run([{ n: 1 }, { n: 2 }], 'create', { parts: mapped({}) }, settings);
    await n8n.delete(`credentials/${id}`);

    expect(status).toBe('success');
    const failed = { error: expect.stringMatching(/time zone/i) as string, details: { outcome: 'notDone' } };
    expect(items('Write')).toEqual([failed, failed]);
  });
});

async function named(name: string): Promise<StoredRecord[]> {
  return (await sandbox.records(STOCK)).filter(({ values }) => values.Name === name);
}

/** Runs an operation on items, in a workflow of its own. */
async function run(
  items: readonly object[],
  operation: string,
  parameters: object,
  settings: object = {},
): Promise<Execution> {
  const resource = operation === 'upload' ? 'attachment' : 'record';
  const toFile = n8nNode('To File', 'convertToFile', 1.1, {
    operation: 'toText',
    sourceProperty: 'text',
    binaryPropertyName: 'data',
    options: { fileName: 'note.txt' },
  });
  const { id } = await n8n.post<{ id: string }>(
    'workflows',
    chain(`Writes: ${operation}`, [
      n8nNode('Items', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} }),
      n8nNode('Split', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
      ...(operation === 'upload' ? [toFile] : []),
      {
        ...actionNode('Write', demoCredential, [resource, operation, STOCK], { ...parameters }),
        ...settings,
      },
    ]),
  );
  return await n8n.run(id, START);
}
