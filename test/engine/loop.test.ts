import { CAPABILITIES } from './support/capabilities';
import { after, itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace({ records: [] });

const numbered = (count: number) => itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));
const price = { values: { Price: '={{ $json.n }}' } };
const network = (ms: number, jitterMs = 0) => ({ kind: 'latency', where: 'network', ms, jitterMs }) as const;

describe('requests in flight', () => {
  test('four are sent at the same time, and the output keeps the order of the input', async () => {
    await place.sandbox.setFaults([network(10, 30)]);
    const { items } = await place.create(price, { input: numbered(40) });
    expect((await place.sandbox.statistics()).mostInFlight).toBe(4);
    const stored = new Map((await place.stored()).map(({ id, values }) => [id, values.Price]));
    expect(items.map(({ json }) => stored.get(json.id as string))).toEqual(
      Array.from({ length: 40 }, (_, n) => String(n)),
    );
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(numbered(40).map((_, item) => ({ item })));
  });

  test('Create or Update obeys it, too', async () => {
    await place.sandbox.setFaults([network(10)]);
    const { json } = await place.upsert({ ...price, matchBy: ['Price'] }, { input: numbered(12) });
    expect(json).toHaveLength(12);
    expect((await place.sandbox.statistics()).mostInFlight).toBe(4);
  });

  test('waits for an overloaded service and creates every record once', async () => {
    await place.sandbox.setDialect({ queueLength: 2, overloadMs: 1500 });
    await place.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 20 }]);
    const { json } = await place.create(price, { input: numbered(30) });
    expect(json).toHaveLength(30);
    expect((await place.stored()).map(({ values }) => Number(values.Price)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
    expect((await place.sandbox.log()).some(({ httpStatus }) => httpStatus === 429)).toBe(true);
  });

  test('nothing is requested twice in a run', async () => {
    await place.create(price, { input: numbered(20) });
    expect(await place.calls('get_app')).toHaveLength(1);
  });

  test('Retry-After is obeyed', async () => {
    await place.sandbox.setFaults([
      { kind: 'status', status: 503, retryAfter: 1, action: 'get_app', times: 1 },
    ]);
    const begin = Date.now();
    const { error } = await place.create(price, { input: numbered(1) });
    expect(error).toBeUndefined();
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1000);
  });

  test('does not wait too long, and the error says what to do', async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 503, retryAfter: 3600, action: 'get_app' }]);
    const { error } = await place.create(price, { input: numbered(1) });
    expect(error?.message).toBe('The service is busy (HTTP 503)');
    expect(error?.description).toMatch(/Try again later/);
  });
});

describe('items that fail', () => {
  const input = itemsOf({ n: 1 }, { n: 'two' }, { n: 3 });

  test('Continue On Fail passes them on with their paired item, and the others continue', async () => {
    const { items, error } = await place.create(price, { input, node: { onError: 'continueRegularOutput' } });
    expect(error).toBeUndefined();
    expect(items).toEqual([
      { json: { id: '1', outcome: 'created' }, pairedItem: { item: 0 } },
      {
        json: {
          error: expect.stringMatching(
            /^Part "Price".* does not accept "two": it is not a number$/,
          ) as string,
          details: { outcome: 'notDone', part: 'Price' },
        },
        pairedItem: { item: 1 },
      },
      { json: { id: '2', outcome: 'created' }, pairedItem: { item: 2 } },
    ]);
  });

  test('a run that ends says what was written, and what was not sent', async () => {
    await place.open();
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'no', action: 'insert_data', skip: 2 },
    ]);
    const { error } = await place.create({ values: { Name: 'x' } }, { input: numbered(30) });
    expect(error?.description).toMatch(
      /Written, with their IDs: items \d \(\d\), \d \(\d\)\..* Not sent: items \d to 29\. As everywhere/,
    );
  });

  test.each([
    ['refused', { kind: 'ng', errorno: -1, message: 'no', action: 'update_data' }],
    ['unknown', { kind: 'drop', when: 'after', action: 'insert_data' }],
    ['notDone', { kind: 'status', status: 401, action: 'insert_data' }],
  ] as const)('an item says that it is %s', async (outcome, fault) => {
    await place.open();
    await place.sandbox.setFaults([fault]);
    const operation = fault.action === 'update_data' ? 'update' : 'create';
    const { json } = await place[operation](
      { values: { Name: 'x' } },
      { node: { onError: 'continueRegularOutput' } },
    );
    expect(json[0]?.details).toMatchObject({ outcome });
  });

  test("the error output receives them, with the item's content", async () => {
    const { items, errorItems } = await place.create(price, {
      input,
      node: { onError: 'continueErrorOutput' },
    });
    expect(items.map(({ json }) => json.outcome)).toEqual(['created', 'created']);
    expect(errorItems).toEqual([
      expect.objectContaining({
        json: {
          n: 'two',
          error: expect.stringMatching(/is not a number/) as string,
          ...(CAPABILITIES.errorDetails() && { details: { outcome: 'notDone', part: 'Price' } }),
        },
        pairedItem: { item: 1 },
      }),
    ]);
  });

  test('a record with an empty or false part called "error" is no failed item', async () => {
    await place.open({ parts: [{ name: 'error', type: 'textbox' }], records: [{ error: 'broken' }] });
    const { items, errorItems } = await place.run(
      'get',
      { recordId: place.record() },
      { node: { onError: 'continueErrorOutput' } },
    );
    expect(errorItems).toEqual([]);
    expect(items[0]?.json).toMatchObject({ 'error (part)': 'broken' });
  });

  test.each(['create', 'update', 'upsert', 'delete'])(
    '%s: a failure of the service names its item',
    async (operation) => {
      await place.open();
      const action = {
        create: 'insert_data',
        update: 'update_data',
        upsert: 'update_data',
        delete: 'delete_data',
      }[operation];
      await place.sandbox.setFaults([
        {
          kind: 'ng',
          errorno: -1,
          message: 'not now',
          action: action ?? '',
          ...(operation !== 'delete' && { skip: 1 }),
        },
      ]);
      const { error } = await place.run(
        operation,
        {
          recordId: operation === 'delete' ? '={{ $json.bad }}' : '={{ $json.id }}',
          values: { Name: '={{ $json.name }}', Note: 'new' },
          matchBy: ['Name'],
        },
        {
          input: itemsOf(
            { id: place.record(), bad: '999', name: 'Bolt' },
            { id: place.record(1), bad: place.record(1), name: 'Nut' },
          ),
        },
      );
      expect(error?.message).toMatch(/not now/);
      expect(error?.context?.itemIndex).toBe(1);
    },
  );

  test('after a failure, no further item is started', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'no', action: 'insert_data', skip: 2, times: 1 },
    ]);
    const { error } = await place.create(price, { input: numbered(10) });
    expect(error?.context?.itemIndex).toBe(2);
    // Those that were under way with it are finished.
    expect((await place.calls('insert_data')).length).toBeLessThan(3 + 4);
  });

  test("n8n's own error for an expression is told as it is, with what became of the other items", async () => {
    const values = { Price: "={{ $json.n === 2 ? $('Nobody').first().json.x : $json.n }}" };
    const { error } = await place.create({ values }, { input: numbered(4) });
    expect(error?.message).toMatch(/Nobody|node/i);
    expect(error?.description).toMatch(/Not sent: items 0 to 1, 3\./);
    expect(await place.calls('insert_data')).toEqual([]);
  });
});

describe('cancellation', () => {
  test('stops sending', async () => {
    const stop = await place.cancelAt({ action: 'insert_data', skip: 5 });
    await place.create(price, { input: numbered(100), ...stop });
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
    await place.create(price, { input: numbered(1), cancel: after(200) });
    // Requests of the test before may still arrive.
    expect((await place.calls('get_app')).length).toBeLessThanOrEqual(1);
  });
});

test('no items: nothing is called', async () => {
  const { json } = await place.create(price, { input: [] });
  expect(json).toEqual([]);
  expect(await place.actions()).toEqual([]);
});
