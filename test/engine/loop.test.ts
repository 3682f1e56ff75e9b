import { CAPABILITIES } from './support/capabilities';
import { like } from './support/like';
import { CONTINUE, drop, each, http, ng, testTable } from './support/table';
import { after, itemsOf, type RunSettings, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const counts = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const price = { operation: 'create', values: { Price: '={{ $json.n }}' } };
const network = (ms: number, jitterMs = 0) => ({ kind: 'latency', where: 'network', ms, jitterMs }) as const;
const prices = async () => (await place.stored()).map(({ values }) => Number(values.Price));
const inFlight = async () => expect((await place.sandbox.statistics()).mostInFlight).toBe(4);
const FILES = ['a.txt', 'b.txt'].map((name) => ({ name, text: 'x' }));
const none = { application: { records: [] } };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;
const THREE = [{ n: 1 }, { n: 'two' }, { n: 3 }];
const REFUSED = { outcome: 'notDone', part: 'Price', hint: like(/^Accepted: /) };
const two = [
  { id: '1', bad: '999', name: 'Bolt' },
  { id: '2', bad: '2', name: 'Nut' },
];

testTable(
  place,
  price,
  {
    'four requests are sent at the same time, and the output keeps the order of the input': {
      faults: [network(10, 30)],
      items: counts(40),
      sent: { get_app: 1 },
      after: async (_, { items }) => {
        await inFlight();
        const stored = new Map((await place.stored()).map(({ id, values }) => [id, Number(values.Price)]));
        expect(items.map(({ json }) => stored.get(json.id as string))).toEqual(counts(40).map(({ n }) => n));
        expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
          counts(40).map(({ n: item }) => ({ item })),
        );
      },
    },
    'also with the files of several records': {
      ...{ application: { records: counts(6).map(() => ({ Photo: FILES })) }, faults: [network(10)] },
      run: { operation: 'get', recordId: '={{ $json.n + 1 }}', options: { downloadAttachments: true } },
      ...{ items: counts(6), sent: { download_data_file: 12 }, after: inFlight },
    },
    'an overloaded service is waited for, and every record created once': {
      dialect: { queueLength: 2, overloadMs: 1500 },
      faults: [{ kind: 'latency', where: 'work', ms: 20 }],
      items: counts(30),
      after: async () => {
        expect((await prices()).sort((a, b) => a - b)).toEqual(counts(30).map(({ n }) => n));
        expect((await place.sandbox.log()).some(({ httpStatus }) => httpStatus === 429)).toBe(true);
      },
    },
    'Continue On Fail passes a failed item on with its paired item, and the others continue': {
      ...{ items: THREE, node: CONTINUE },
      after: (_, { items }) =>
        expect(items).toEqual([
          { json: { id: '1', outcome: 'created' }, pairedItem: { item: 0 } },
          {
            json: {
              error: like(/^Part "Price".* does not accept "two": it is not a number$/),
              details: REFUSED,
            },
            pairedItem: { item: 1 },
          },
          { json: { id: '2', outcome: 'created' }, pairedItem: { item: 2 } },
        ]),
    },
    "the error output receives it, with the item's content": {
      ...{ items: THREE, node: ERROR_OUTPUT, outcomes: ['created', 'created'] },
      after: (_, { errorItems }) =>
        expect(errorItems).toMatchObject([
          {
            json: {
              ...{ n: 'two', error: like(/is not a number/) },
              ...(CAPABILITIES.errorDetails() && { details: REFUSED }),
            },
            pairedItem: { item: 1 },
          },
        ]),
    },
    'after a failure, no further item is started, and it is said what was written and what was not sent': {
      ...{ faults: [ng('insert_data', { skip: 2, times: 1 })], items: counts(30), error: 'no' },
      advice: /Written, with their IDs: items \d \(\d\), \d \(\d\).*\. Not sent: items \d to 29\./,
      // Of the four that were under way, any may be the third to arrive; the others are finished.
      after: async (_, { error }) => {
        expect(error?.context?.itemIndex).toBeLessThan(4);
        expect((await place.calls('insert_data')).length).toBeLessThan(3 + 4);
      },
    },
    "n8n's own error for an expression is told as it is, with what became of the other items": {
      run: { values: { Price: "={{ $json.n === 2 ? $('Nobody').first().json.x : $json.n }}" } },
      ...{ items: counts(4), error: /Nobody|node/i, advice: 'Not sent: items 0 to 1, 3.' },
      sent: { insert_data: 0 },
    },
    'no items: nothing is called': { items: [], output: [], actions: [] },
    'a record with an empty or false part called "error" is no failed item': {
      application: { parts: [{ name: 'error', type: 'textbox' }], records: [{ error: 'broken' }] },
      ...{ run: { operation: 'get', recordId: '1' }, node: ERROR_OUTPUT },
      shows: [{ 'error (part)': 'broken' }],
      after: (_, { errorItems }) => expect(errorItems).toEqual([]),
    },
    ...each([
      ['refused', 'update', ng('update_data')],
      ['unknown', 'create', drop('insert_data', 'after', 100)],
      ['notDone', 'create', http(401, 'insert_data')],
    ] as const)('an item says that it is %s', ([outcome, operation, fault]) => ({
      ...{ application: {}, run: { operation, recordId: '1', values: { Name: 'x' } } },
      ...{ faults: [fault], node: CONTINUE, outcomes: [outcome] },
    })),
    ...each([
      ['create', 'insert_data', { values: { Name: '={{ $json.name }}' } }],
      ['update', 'update_data', { recordId: '={{ $json.id }}', values: { Note: 'new' } }],
      ['upsert', 'update_data', { values: { Name: '={{ $json.name }}', Note: 'new' }, matchBy: ['Name'] }],
      ['delete', 'delete_data', { recordId: '={{ $json.bad }}' }],
    ] satisfies [string, string, RunSettings][])(
      '%s: a failure of the service names its item',
      ([operation, action, run]) => ({
        ...{ application: {}, run: { operation, ...run }, items: two },
        faults: [ng(action, operation === 'delete' ? {} : { skip: 1 })],
        ...{ error: 'no', item: 1 },
      }),
    ),
  },
  none,
);

describe('cancellation', () => {
  beforeEach(async () => void (await place.open(none.application)));

  test('stops sending', async () => {
    const stop = await place.cancelAt({ action: 'insert_data', skip: 5 });
    await place.create(price, { input: itemsOf(...counts(100)), ...stop });
    await place.engine.idle();
    await place.noted('insert_data', 6);
    // Four requests are in flight. The sixth request, or one at the same time, stops the rest.
    const sent = (await place.calls('insert_data')).length;
    expect(sent).toBeGreaterThanOrEqual(6);
    expect(sent).toBeLessThanOrEqual(9);
  });

  test('ends a wait for a busy service', async () => {
    // For longer than this test may take.
    await place.sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 120 }]);
    await place.create(price, { input: itemsOf({ n: 0 }), cancel: after(200) });
    // Requests of the test before may still arrive.
    expect((await place.calls('get_app')).length).toBeLessThanOrEqual(1);
  });
});
