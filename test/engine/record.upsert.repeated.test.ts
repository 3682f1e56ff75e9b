import { withFiles } from './support/rows';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

/** Former faults of writes: records created twice, written in the wrong order, or written after the node had failed. */
const place = useWorkplace();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const NOT_NOW = { kind: 'ng', errorno: -1, message: 'not now' } as const;
const FILES = { data: { name: 'x.txt', text: 'x' }, more: { name: 'y.txt', text: 'y' } };
const named = async (name: string) => (await place.stored()).filter(({ values }) => values.Name === name);
const byName = (more: object = {}, options = {}) => ({
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}', ...more },
  matchBy: ['Name'],
  options,
});

describe('Create or Update knows what it has written itself', () => {
  /** What fails after a write, and how often an update reads the record before it. */
  const AFTERWARDS = [
    ['reading the record back', byName({}, { returnRecord: true }), 0],
    ['counting files', byName({ Photo: 'data, more' }), 1],
  ] as const;

  test.each(AFTERWARDS)('%s failed: the next item changes the created record', async (_, settings) => {
    await place.sandbox.setFaults([{ ...NOT_NOW, action: 'get_data', times: 1 }]);
    const { json } = await place.upsert(settings, {
      input: [withFiles(FILES, { n: 'Cap', p: 1 }), withFiles(FILES, { n: 'Cap', p: 2 })],
      node: CONTINUE,
    });
    expect(json).toEqual([
      expect.objectContaining({ error: expect.stringContaining('not now') as string }),
      expect.objectContaining({ outcome: 'updated' }),
    ]);
    expect((await named('Cap')).map(({ values }) => values.Price)).toEqual(['2']);
  });

  test.each(
    AFTERWARDS.flatMap((row) => (['skip', 'fail', 'merge'] as const).map((it) => [it, ...row] as const)),
  )(
    'with the policy %s, there is no conflict with itself after %s failed',
    async (conflictPolicy, _, settings, before) => {
      await place.sandbox.setFaults([{ ...NOT_NOW, action: 'get_data', times: 1, skip: before }]);
      const { json } = await place.upsert(
        { ...settings, conflictPolicy },
        {
          input: [withFiles(FILES, { n: 'Bolt', p: 1 }), withFiles(FILES, { n: 'Bolt', p: 2 })],
          node: CONTINUE,
        },
      );
      expect(json).toEqual([
        expect.objectContaining({ error: expect.stringContaining('not now') as string }),
        expect.objectContaining({ id: place.record(), outcome: 'updated' }),
      ]);
      expect((await place.storedAt())?.values.Price).toBe('2');
    },
  );

  test.each([
    ['Cap', 'created', 0],
    ['Bolt', 'updated', 1],
  ])('Retry On Fail succeeds if %s was %s and its files could not be counted', async (n, outcome, skip) => {
    await place.sandbox.setFaults([{ ...NOT_NOW, action: 'get_data', times: 1, skip }]);
    const input = [withFiles(FILES, { n, p: 1 })];
    const { json } = await place.upsert(byName({ Photo: 'data, more' }), { input, node: RETRY });
    expect(json).toEqual([{ id: expect.any(String) as string, outcome }]);
    const records = await named(n);
    expect(records.map(({ values }) => (values.Photo as object[]).length)).toEqual([2]);
    const writes = (await place.actions()).filter((action) => /^(insert|update)_data$/.test(action));
    expect(writes).toHaveLength(1);
  });
});

test('a new record is named where the files that were sent with it are not shown', async () => {
  await place.meanwhile({ action: 'insert_data', when: 'after', times: 1 }, async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { parts: { Photo: 'none' } } } });
  });
  const input = [withFiles(FILES)];
  const { error } = await place.create(
    { values: { Name: 'Cap', Photo: 'data, more' } },
    { input, node: RETRY },
  );
  expect(error?.message).toMatch(
    /^The record 3 was written, but it is not known whether the service kept these files in "Photo" \(ID \d+\): "x.txt", "y.txt"$/,
  );
  expect(await place.calls('insert_data')).toHaveLength(1);
});

describe('one key is one record', () => {
  test.each([
    ['with a switch that differs', [{ auto: true }, { auto: false }]],
    ['with two spellings of the application', [{ app: 'id' }, { app: '@goods' }]],
  ])('%s', async (_, [one, other]) => {
    const settings = {
      ...byName({}, { autoAction: '={{ $json.auto ?? true }}' }),
      application: {
        __rl: true,
        mode: 'id',
        value: `={{ $json.app === "@goods" ? "@goods" : "${place.app.id}" }}`,
      },
    };
    const input = itemsOf({ n: 'Cap', p: 1, ...one }, { n: 'Cap', p: 2, ...other });
    const { json } = await place.upsert(settings, { input });
    expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'updated']);
    expect((await named('Cap')).map(({ values }) => values.Price)).toEqual(['2']);
  });
});

test.each(['fail', 'skip', 'merge'])(
  'one record that is found by different parts is in no conflict with the run itself: %s',
  async (conflictPolicy) => {
    const { json } = await place.upsert(
      {
        values: { Name: 'Bolt', Price: 1200, Note: '={{ $json.note }}' },
        matchBy: ['={{ $json.by }}'],
        conflictPolicy,
      },
      { input: itemsOf({ by: 'Name', note: '1' }, { by: 'Price', note: '2' }, { by: 'Name', note: '3' }) },
    );
    expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'updated', 'updated']);
    expect((await place.storedAt())?.values.Note).toBe('3');
  },
);

describe('items of one record are written in their order', () => {
  const SLOW = [
    ['slow', { kind: 'latency', where: 'network', ms: 400 }],
    ['refused with 429', { kind: 'status', status: 429, retryAfter: 0 }],
  ] as const;
  const LINE = {
    mappingMode: 'defineBelow',
    value: { Qty: '={{ $json.p }}' },
    matchingColumns: [],
    schema: [],
  };
  const price = async () => (await place.storedAt())?.values.Price;
  const WRITES = [
    ['Update', 'update', { values: { Price: '={{ $json.p }}' } }, price, '3'],
    // The item in between has other options, so that they are not one write.
    [
      'Table Row > Update',
      'update',
      {
        resource: 'tableRow',
        tablePart: 'Lines',
        rowId: '1',
        row: LINE,
        options: { returnRecord: '={{ $json.p === 2 }}' },
      },
      async () => ((await place.storedAt())?.values.Lines as { Qty: string }[])[0]?.Qty,
      '3',
    ],
    [
      'Attachment > Upload',
      'upload',
      {
        resource: 'attachment',
        attachmentPart: 'Photo',
        binaryPropertyName: 'data, more',
      },
      async () => ((await place.storedAt())?.values.Photo as { name: string }[]).map(({ name }) => name),
      ['1a', '1b', '2a', '2b', '3a', '3b'],
    ],
    [
      'Create or Update',
      'upsert',
      {
        values: { Name: 'Bolt', Price: '={{ $json.p }}' },
        matchBy: ['Name'],
        options: { autoAction: '={{ $json.p === 1 }}' },
      },
      price,
      '3',
    ],
  ] as const;

  test.each(WRITES.flatMap(([name, ...write]) => SLOW.map((slow) => [name, ...slow, ...write] as const)))(
    '%s, with a first request that is %s',
    async (_name, _how, fault, operation, settings, stored, expected) => {
      await place.open({ records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }] }] });
      // Each file of an upload needs a separate request.
      await place.sandbox.setDialect({ severalFiles: 'first' });
      const action = operation === 'upload' ? 'get_data' : 'update_data';
      await place.sandbox.setFaults([{ ...fault, action, times: 1 }]);
      const input = [1, 2, 3].map((p) =>
        withFiles({ data: { name: `${p}a`, text: 'x' }, more: { name: `${p}b`, text: 'y' } }, { p }),
      );
      const { error } = await place.run(operation, { recordId: place.record(), ...settings }, { input });
      expect(error).toBeUndefined();
      expect(await stored()).toEqual(expected);
    },
  );
});
