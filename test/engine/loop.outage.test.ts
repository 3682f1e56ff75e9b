import type { Fault } from '../support/sandbox';
import { useQuickRetries } from './support/quickRetries';
import { rowOf, withFiles } from './support/rows';
import { CONTINUE, drop, each, testTable } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

/** A service that goes away while a run works: a person has a few records to look at then, not hundreds. */
const place = useWorkplace(null);

const COUNT = 40;
const records = Array.from({ length: COUNT }, (_, n) => ({ Name: `n${n}`, Lines: [{ Item: 'a' }] }));
const items = records.map(({ Name }, index) => ({ n: Name, id: String(index + 1) }));
const eachId = { recordId: '={{ $json.id }}' };
const Name = '={{ $json.n }}';

const OPERATIONS: Readonly<Record<string, RunSettings>> = {
  Create: { operation: 'create', values: { Name } },
  Update: { operation: 'update', ...eachId, values: { Price: 1 } },
  'Update, Fail': {
    operation: 'update',
    ...eachId,
    values: { Price: 1 },
    conflictPolicy: 'fail',
    revision: '1',
  },
  'Create or Update': { operation: 'upsert', values: { Name, Price: 1 }, matchBy: ['Name'] },
  Sync: { operation: 'sync', values: { Name, Price: 1 }, matchBy: ['Name'] },
  'Table Row > Add': { operation: 'add', ...rowOf({ Item: 'b' }), ...eachId },
  'Attachment > Upload': {
    ...{ resource: 'attachment', operation: 'upload', ...eachId, attachmentPart: 'Photo' },
    binaryPropertyName: 'data',
  },
  Get: { operation: 'get', ...eachId },
};

/** After thirty calls. */
const later = (fault: Fault): Fault => ({ ...fault, skip: 30 });
const GONE: Readonly<Record<string, Fault>> = {
  'HTTP 502': later({ kind: 'status', status: 502 }),
  'connections that break': later({ kind: 'drop', when: 'before' }),
  'a web page': later({ kind: 'html' }),
  'a redirect': later({ kind: 'redirect', location: '/login' }),
  'a refused key': later({ kind: 'status', status: 401 }),
};
const outcomesOf = (json: readonly { details?: unknown }[], outcome: string): number =>
  json.filter(({ details }) => (details as { outcome?: string } | undefined)?.outcome === outcome).length;

for (const [operation, run] of Object.entries(OPERATIONS))
  testTable(
    place,
    run,
    {
      ...each(Object.entries(GONE))(
        `%s until the end leaves four in doubt at most, and the rest not done: ${operation}`,
        ([, fault]) => ({
          faults: [fault],
          after: async (_, { json }) => {
            const [unknown, notDone] = [outcomesOf(json, 'unknown'), outcomesOf(json, 'notDone')];
            expect(json).toHaveLength(COUNT);
            expect(unknown).toBeLessThanOrEqual(4);
            expect(notDone).toBeGreaterThan(0);
            // What is neither was done before; of reads, those in flight have failed.
            const failed = json.filter(({ error }) => error !== undefined).length;
            expect(failed - unknown - notDone).toBeLessThanOrEqual(operation === 'Get' ? 4 : 0);
            // Six tries of four items in flight, of what they look at afterwards, and of the one question.
            const calls = await place.actions();
            expect(calls.length).toBeLessThanOrEqual(30 + 6 * (4 + 4 + 1) + 6);
          },
        }),
      ),
      [`${operation}: goes on after an outage that ends`]: {
        faults: [{ kind: 'status', status: 502, skip: 30, times: 5 }],
        after: async (_, { json }) => {
          await Promise.resolve();
          expect(json).toHaveLength(COUNT);
          expect(json.filter((item) => item.error !== undefined).length).toBeLessThanOrEqual(4);
        },
      },
    },
    {
      ...{ application: { records: operation === 'Create' ? [] : records }, items, node: CONTINUE },
      ...(operation.endsWith('Upload') && {
        engine: { input: items.map((json) => withFiles({ data: { name: 'a.txt', text: 'a' } }, json)) },
      }),
    },
  );

testTable(
  place,
  { operation: 'create', values: { Name } },
  {
    'one item that a firewall refuses: the others are written': {
      faults: [{ kind: 'html', status: 403, action: 'insert_data', skip: 10, times: 1 }],
      after: async (_, { json }) => {
        expect(json.filter((item) => item.outcome === 'created')).toHaveLength(COUNT - 1);
        expect((await place.calls('get_app')).length).toBe(2);
      },
    },
    'an answer that is lost: one question, and the run goes on': {
      faults: [drop('insert_data', 'after', 1)],
      after: async (_, { json }) => {
        expect([outcomesOf(json, 'unknown'), json.filter((item) => item.id).length]).toEqual([1, COUNT - 1]);
        expect((await place.calls('get_app')).length).toBe(2);
      },
    },
    'an application that is under maintenance then ends its own items': {
      faults: [drop('insert_data', 'before', 1)],
      meanwhile: [
        { action: 'get_app', skip: 1, times: 1 },
        ({ sandbox, app }) => sandbox.changeApplication(app.id, { status: 'maintenance' }),
      ],
      after: async (_, { json }) => {
        await Promise.resolve();
        const last = { error: 'The application "Goods" is not running (maintenance)' };
        expect(json.at(-1)).toMatchObject({ ...last, details: { outcome: 'notDone' } });
        expect(outcomesOf(json, 'notDone')).toBeGreaterThan(COUNT - 10);
      },
    },
    'a run that stops at the first error asks nothing': {
      ...{ node: {}, faults: [drop('insert_data', 'before', 1)], error: 'outcome unknown' },
      sent: { get_app: 1 },
    },
  },
  { application: { records: [] }, items, node: CONTINUE },
);

// 600 records go in three requests.
testTable(
  place,
  { operation: 'delete', recordId: '={{ $json.id }}' },
  {
    'Delete: a request in doubt whose records cannot be read ends it, and the rest is not done': {
      faults: [
        drop('delete_data', 'before', 99),
        { kind: 'status', status: 502, action: 'list_data', skip: 1 },
        { kind: 'status', status: 502, action: 'get_data' },
        { kind: 'status', status: 502, action: 'get_app', skip: 1 },
      ],
      after: async (_, { json }) => {
        expect([outcomesOf(json, 'unknown'), outcomesOf(json, 'notDone')]).toEqual([200, 400]);
        expect((await place.calls('delete_data')).length).toBe(1);
      },
    },
  },
  {
    application: { records: Array.from({ length: 600 }, () => ({ Name: 'x' })) },
    ...{ items: Array.from({ length: 600 }, (__, index) => ({ id: String(index + 1) })), node: CONTINUE },
  },
);

// On Error: stop. Two or three are under way when the item of another key is refused.
testTable(
  place,
  { operation: 'upsert', values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' }, matchBy: ['Name'] },
  {
    'once a run has failed, nothing more of a key that is under way is begun': {
      items: ['Acme', 'Beta', ...Array.from({ length: 6 }, () => 'Acme')].map((n, p) => ({ n, p })),
      faults: [
        { kind: 'latency', where: 'network', ms: 40 },
        { kind: 'ng', action: 'insert_data', skip: 1, errorno: -1, message: 'no' },
      ],
      error: 'no',
      after: async () => {
        const writes = [...(await place.calls('insert_data')), ...(await place.calls('update_data'))];
        expect(writes.length).toBeLessThanOrEqual(3);
      },
    },
  },
  { application: { records: [] } },
);
