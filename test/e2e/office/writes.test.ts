import type { Fault } from '../../support/sandboxTypes';
import { demoCredential, n8n, sandbox } from '../support/here';
import type { Execution } from '../support/n8n';
import { useApplication } from '../support/use-application';
import { actionNode, chain, mapped, n8nNode, START } from '../support/workflow';

const STOCK = 'e2e_writes';

/** The service does the work, then its automatic processing fails. */
const refusedAfter = (action: string): Fault => ({
  kind: 'ng',
  errorno: -1,
  message: 'Automatic processing failed',
  status: 503,
  when: 'after',
  action,
  times: 1,
});
/** The service does the work, and its answer is lost. */
const lostAnswer = (action: string): Fault => ({ kind: 'drop', when: 'after', action, times: 1 });

/** What a workflow does with one record, "Bolt", what it says, and what is stored then. */
interface Row {
  readonly name: string;
  readonly fault: Fault;
  readonly operation: readonly [resource: string, operation: string];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names of the files that the item brings as binary fields. */
  readonly files?: readonly string[];
  /** What the node outputs; a text is the error that ends the workflow. */
  readonly says: object | string;
  /** All records that the application then holds, as far as they count. */
  readonly stored: readonly object[];
}

const box = { id: '1', Item: 'Box', Qty: '1' };
const bolt = { Name: 'Bolt', Price: '10', Lines: [box], Papers: [{ name: 'old.txt' }] };
const papers = (...names: readonly string[]) => names.map((name) => ({ name, size: 5000 }));
const newRows = '[{"Item":"Bag","Qty":2},{"Item":"Tin","Qty":3}]';
const withNewRows = [box, { Item: 'Bag', Qty: '2' }, { Item: 'Tin', Qty: '3' }];

const rows: readonly Row[] = [
  {
    name: 'Create with three files: the record is there once, and it is not known whose it is',
    fault: refusedAfter('insert_data'),
    operation: ['record', 'create'],
    files: ['a.txt', 'b.txt', 'c.txt'],
    parameters: { parts: mapped({ Name: 'Cap', Papers: 'a, b, c' }) },
    says: 'outcome unknown',
    stored: [bolt, { Name: 'Cap', Papers: papers('a.txt', 'b.txt', 'c.txt') }],
  },
  {
    name: 'Create or Update adds a record once, and knows it by its key',
    fault: lostAnswer('insert_data'),
    operation: ['record', 'upsert'],
    parameters: { parts: mapped({ Name: 'Cap', Price: 12 }, ['Name']) },
    says: { outcome: 'created' },
    stored: [bolt, { Name: 'Cap', Price: '12' }],
  },
  {
    name: 'Update with rows and two files writes all of them once',
    fault: lostAnswer('update_data'),
    operation: ['record', 'update'],
    files: ['a.txt', 'b.txt'],
    parameters: {
      recordId: 'bolt',
      parts: mapped({ Price: 11, Lines: newRows, Papers: 'a, b' }),
      options: { tableRowMode: 'merge' },
    },
    says: { outcome: 'updated' },
    stored: [
      {
        ...bolt,
        Price: '11',
        Lines: withNewRows,
        Papers: [{ name: 'old.txt' }, ...papers('a.txt', 'b.txt')],
      },
    ],
  },
  {
    name: 'Table Row > Add',
    fault: lostAnswer('update_data'),
    operation: ['tableRow', 'add'],
    parameters: { recordId: 'bolt', tablePart: 'Lines', row: mapped({ Item: 'Bag', Qty: 2 }) },
    says: { outcome: 'created' },
    stored: [{ ...bolt, Lines: [box, { Item: 'Bag', Qty: '2' }] }],
  },
  {
    name: 'Table Row > Add, with three files in the row, two of them of one name',
    fault: lostAnswer('update_data'),
    operation: ['tableRow', 'add'],
    files: ['a.txt', 'b.txt', 'a.txt'],
    parameters: { recordId: 'bolt', tablePart: 'Lines', row: mapped({ Item: 'Bag', Plans: 'a, b, a2' }) },
    says: { outcome: 'created' },
    stored: [{ ...bolt, Lines: [box, { Item: 'Bag', Plans: papers('a.txt', 'b.txt', 'a.txt') }] }],
  },
  {
    name: 'Create or Update with three files, two of them of one name',
    fault: lostAnswer('insert_data'),
    operation: ['record', 'upsert'],
    files: ['a.txt', 'b.txt', 'a.txt'],
    parameters: { parts: mapped({ Name: 'Cap', Papers: 'a, b, a2' }, ['Name']) },
    says: { outcome: 'created' },
    stored: [bolt, { Name: 'Cap', Papers: papers('a.txt', 'b.txt', 'a.txt') }],
  },
  {
    name: 'Table Row > Delete',
    fault: lostAnswer('update_data'),
    operation: ['tableRow', 'delete'],
    parameters: { recordId: 'bolt', tablePart: 'Lines', rowId: '1' },
    says: { ids: ['1'], notFound: [], outcome: 'deleted' },
    stored: [{ ...bolt, Lines: [] }],
  },
  {
    name: 'Attachment > Upload, without an answer: the file is found',
    fault: refusedAfter('update_data'),
    operation: ['attachment', 'upload'],
    files: ['a.txt'],
    parameters: { recordId: 'bolt', attachmentPart: 'Papers', binaryPropertyName: 'a' },
    says: { outcome: 'updated', files: ['a.txt'] },
    stored: [{ ...bolt, Papers: [{ name: 'old.txt' }, ...papers('a.txt')] }],
  },
  {
    name: 'Attachment > Delete',
    fault: lostAnswer('update_data'),
    operation: ['attachment', 'delete'],
    parameters: { recordId: 'bolt', attachmentPart: 'Papers', attachmentIds: 'old' },
    says: { outcome: 'deleted', notFound: [] },
    stored: [{ ...bolt, Papers: [] }],
  },
];

const stock = useApplication(
  {
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
          { name: 'Plans', type: 'files' },
        ],
      },
      { name: 'Papers', type: 'files' },
    ],
    records: [
      {
        Name: 'Bolt',
        Price: '10',
        Lines: [{ Item: 'Box', Qty: '1' }],
        Papers: [{ name: 'old.txt', text: 'old' }],
      },
    ],
  },
  'each',
);

/** What each kind of write leaves in the application, and says, in a workflow that a person runs. */
describe('A service that does the work and then fails', () => {
  it.each(rows)('$name', async ({ fault, operation, parameters, files = [], says, stored }) => {
    await sandbox.setFaults([fault]);
    const { status, error, items } = await run([itemWith(files)], operation, parameters);

    if (typeof says === 'string') {
      expect([status, error?.message]).toEqual(['error', expect.stringContaining(says)]);
    } else {
      expect([status, error?.message]).toEqual(['success', undefined]);
      expect(items('Write')).toEqual([expect.objectContaining(says)]);
    }
    const records = await sandbox.records(STOCK);
    expect(records.map(({ values }) => ({ Lines: [], Papers: [], ...values }))).toMatchObject(stored);
  });

  it('loses no record but those that Sync says it has removed', async () => {
    await sandbox.addRecords(
      STOCK,
      ['Nut', 'Old'].map((Name) => ({ Name, Price: '10' })),
    );
    const list = [
      { Name: 'Bolt', Price: 12 },
      { Name: 'Nut', Price: 10 },
      { Name: 'Washer', Price: 1 },
    ];
    await sandbox.setFaults([lostAnswer('update_data'), lostAnswer('delete_data')]);
    const { status, items } = await run(
      list.map((json) => ({ json })),
      ['record', 'sync'],
      {
        parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Name'], schema: [] },
        missing: 'delete',
      },
    );

    expect(status).toBe('success');
    const outcomes = items('Write').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['updated', 'unchanged', 'created', 'deleted']);
    const kept = (await sandbox.records(STOCK)).map(({ values }) => [values.Name, values.Price]);
    expect(kept).toEqual([
      ['Bolt', '12'],
      ['Nut', '10'],
      ['Washer', '1'],
    ]);
  });
});

describe('Retry On Fail', () => {
  it('writes what failed, and nothing twice', async () => {
    const names = ['Cap', 'Nail', 'Pin', 'Screw'];
    // The third insert is refused, which ends the first try.
    await sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'Not now', action: 'insert_data', skip: 2, times: 1 },
    ]);
    const { status, error } = await run(
      names.map((Name) => ({ json: { Name } })),
      ['record', 'create'],
      { parts: mapped({ Name: '={{ $json.Name }}', Price: '={{ $now.toMillis() % 1000 }}' }) },
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
    );

    expect([status, error?.message]).toEqual(['success', undefined]);
    const stored = (await sandbox.records(STOCK)).map(({ values }) => values.Name);
    expect(stored.sort()).toEqual(['Bolt', ...names].sort());
  });
});

describe('One record of a thousand that may not be deleted', () => {
  it('stays, is named, and holds up no other', async () => {
    const ids = await sandbox.addRecords(
      STOCK,
      Array.from({ length: 1000 }, (_, index) => ({ Name: `Part ${index}` })),
    );
    const locked = String(ids[500]);
    await sandbox.setUser('1001', { rights: { [STOCK]: { records: { [locked]: { delete: false } } } } });
    const { status, error, items } = await run(
      ids.map((id) => ({ json: { id } })),
      ['record', 'delete'],
      { recordId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } },
      { onError: 'continueRegularOutput' },
    );
    await sandbox.setUser('1001', { rights: {} });

    expect([status, error?.message]).toEqual(['success', undefined]);
    const output = items('Write');
    expect(output.filter(({ deleted }) => deleted === true)).toHaveLength(999);
    expect(output.filter((item) => 'error' in item)).toEqual([
      expect.objectContaining({ error: expect.stringContaining(locked) as string }),
    ]);
    expect((await sandbox.records(STOCK)).map(({ id }) => id)).toEqual([stock().records[0], locked]);
  });
});

interface Input {
  readonly json: object;
  readonly binary?: Readonly<Record<string, object>>;
}

/** An item with files of 5,000 bytes. Its binary fields are called as they are, without the ending. */
function itemWith(files: readonly string[]): Input {
  const data = Buffer.from('file\n'.repeat(1000)).toString('base64');
  // A second file of one name is in a field of its own.
  const fieldOf = (fileName: string, index: number): string =>
    `${fileName.replace('.txt', '')}${files.indexOf(fileName) === index ? '' : '2'}`;
  const binary = files.map((fileName, index) => [
    fieldOf(fileName, index),
    { fileName, data, mimeType: 'text/plain' },
  ]);
  return { json: {}, binary: Object.fromEntries(binary) as Record<string, object> };
}

async function oldFile(): Promise<string> {
  const [record] = await sandbox.records(STOCK);
  return (record?.values.Papers as { id: string }[])[0]?.id ?? '';
}

/** Runs an operation on items, in a workflow of its own. */
async function run(
  items: readonly Input[],
  [resource, operation]: readonly [string, string],
  parameters: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Execution> {
  const ids = {
    ...(parameters.recordId === 'bolt' && {
      recordId: { __rl: true, mode: 'id', value: stock().records[0] },
    }),
    ...(parameters.attachmentIds === 'old' && { attachmentIds: await oldFile() }),
  };
  const write = actionNode('Write', demoCredential, [resource, operation, STOCK], { ...parameters, ...ids });
  const { id } = await n8n.post<{ id: string }>(
    'workflows',
    chain(`Writes: ${operation}`, [
      n8nNode('Items', 'code', 2, { jsCode: `return ${JSON.stringify(items)};` }),
      { ...write, ...settings },
    ]),
  );
  return await n8n.run(id, START);
}
