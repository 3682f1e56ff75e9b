import { like, some } from './support/like';
import { useQuickRetries } from './support/quickRetries';
import { rowOf, withFiles } from './support/rows';
import { byId } from './support/saved';
import { CONTINUE, each, ng, testTable, type Row } from './support/table';
import { RETRY, useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

/** Former faults of writes: records created twice, written in the wrong order, or written after the node had failed. */
const place = useWorkplace(null);

const FILES = { data: { name: 'x.txt', text: 'x' }, more: { name: 'y.txt', text: 'y' } };
/** Items that write prices to a name, with files. */
const priced = (n: string, ...prices: number[]) => ({ input: prices.map((p) => withFiles(FILES, { n, p })) });
const values = { Name: '={{ $json.n }}', Price: '={{ $json.p }}' };
const upsert = { operation: 'upsert', values, matchBy: ['Name'] };
const notNow = (skip = 0) => [ng('get_data', { times: 1, skip, message: 'not now' })];

describe('Create or Update knows what it has written itself', () => {
  // Reading the record back fails after the write.
  const back = { options: { returnRecord: true } };
  const failsOnce = { faults: notNow(), node: { ...CONTINUE } };
  testTable(place, upsert, {
    'reading back failed: the next item changes the created record': {
      ...{ run: back, ...failsOnce, engine: priced('Cap', 1, 2) },
      shows: [{ error: like('not now') }, { outcome: 'updated' }],
      stored: [{}, {}, { Name: 'Cap', Price: '2' }],
    },
    ...each(['skip', 'merge'])(
      'with the policy %s, there is no conflict with itself after reading back failed',
      (conflictPolicy) => ({
        ...{ run: { ...back, conflictPolicy }, ...failsOnce, engine: priced('Bolt', 1, 2) },
        shows: [{ error: like('not now') }, { id: '1', outcome: 'updated' }],
        stored: [{ Price: '2' }, {}],
      }),
    ),
    ...each(['Cap', 'Bolt'] as const)(
      '%s was written and its files could not be counted: so in each try, and written once',
      (n) => ({
        run: { values: { ...values, Photo: 'data, more' } },
        faults: notNow(n === 'Bolt' ? 1 : 0),
        engine: { ...priced(n, 1), node: RETRY },
        error: /^The record \d was written, but it is not known whether the service kept all files/,
        sent: { insert_data: n === 'Cap' ? 1 : 0, update_data: n === 'Cap' ? 0 : 1 },
        after: async () => {
          const written = (await place.stored()).find((record) => record.values.Name === n);
          expect(written?.values.Photo).toHaveLength(2);
        },
      }),
    ),
    'one record that is found by different parts is in no conflict with the run itself': {
      run: {
        ...{ values: { Name: 'Bolt', Price: 1200, Note: '={{ $json.by }}' }, conflictPolicy: 'fail' },
        matchBy: ['={{ $json.by }}'],
      },
      items: ['Name', 'Price', 'Name'].map((by) => ({ by })),
      outcomes: ['updated', 'updated', 'updated'],
      stored: [{ Note: 'Name' }, {}],
    },
    'one key is one record, with a switch that differs': {
      run: { options: { autoAction: '={{ $json.p === 1 }}' } },
      ...{ engine: priced('Cap', 1, 2), outcomes: ['created', 'updated'] },
      stored: [{}, {}, { Price: '2' }],
    },
  });

  test('one key is one record, with two spellings of the application', async () => {
    const { id } = await place.open();
    const value = `={{ $json.p === 1 ? "@goods" : "${id}" }}`;
    const application = byId(value);
    const { json } = await place.run('upsert', { ...upsert, application }, priced('Cap', 1, 2));
    expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'updated']);
    expect(await place.stored()).toHaveLength(3);
  });
});

const withFilesOnce = { operation: 'create', values: { Name: 'Cap', Photo: 'data, more' } };
testTable(place, withFilesOnce, {
  'a new record is named where the files that were sent with it are not shown': {
    meanwhile: [
      { action: 'insert_data', when: 'after', times: 1 },
      ({ sandbox }) => sandbox.setUser('1001', { rights: { goods: { parts: { Photo: 'none' } } } }),
    ],
    engine: { ...priced('Cap', 1), node: RETRY },
    error:
      /^The record 3 was written, but it is not known whether the service kept all files in "Photo" \(ID \d+\)$/,
    sent: { insert_data: 1 },
  },
});

describe('items of one record are written in their order', () => {
  const deletion = {
    resource: 'attachment',
    operation: 'delete',
    attachmentPart: 'Photo',
    attachmentIds: '={{ $json.file }}',
  };
  const price = { stored: [{ Price: '3' }] };
  const input = [1, 2, 3].map((p) =>
    withFiles({ data: { name: `${p}a`, text: 'x' }, more: { name: `${p}b`, text: 'y' } }, { p }),
  );
  const WRITES: [string, RunSettings, Row][] = [
    ['Update', { operation: 'update', values: { Price: '={{ $json.p }}' } }, price],
    [
      'Table Row > Update',
      // The item in between has other options, so that they are not one write.
      {
        ...{ operation: 'update', ...rowOf({ Qty: '={{ $json.p }}' }), rowId: '1' },
        options: { returnRecord: '={{ $json.p === 2 }}' },
      },
      { stored: [{ Lines: [some({ Qty: '3' })] }] },
    ],
    [
      'Attachment > Upload',
      {
        ...{ resource: 'attachment', operation: 'upload', attachmentPart: 'Photo' },
        binaryPropertyName: 'data, more',
      },
      { stored: [{ Photo: ['1a', '1b', '2a', '2b', '3a', '3b'].map((name): unknown => some({ name })) }] },
    ],
    [
      'Attachment > Delete',
      deletion,
      {
        before: async () => {
          const files = (await place.storedAt())?.values.Photo as { id: string }[];
          files.forEach(({ id }, at) => (input[at]!.json.file = id));
        },
        sent: { update_data: 3 },
      },
    ],
    [
      'Create or Update',
      { ...upsert, values: { ...values, Name: 'Bolt' }, options: { autoAction: '={{ $json.p === 1 }}' } },
      price,
    ],
  ];
  const photos = ['1', '2', '3'].map((n) => ({ name: n, text: n }));
  for (const [name, run, expected] of WRITES)
    testTable(
      place,
      { recordId: '1', ...run },
      {
        ...each([
          { kind: 'latency', where: 'network', ms: 400 },
          { kind: 'status', status: 429, retryAfter: 0 },
        ])(`${name}, with a first request that meets %s`, (fault) => ({
          faults: [
            { ...fault, action: run.resource === 'attachment' ? 'get_data' : 'update_data', times: 1 },
          ],
          ...expected,
        })),
        [`${name}: after a failure, none is sent`]: {
          ...(expected.before && { before: expected.before }),
          ...{ faults: [ng('update_data', { times: 1 })], error: 'no', sent: { update_data: 1 } },
        },
      },
      {
        application: {
          records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }], ...(run === deletion && { Photo: photos }) }],
        },
        engine: { input },
      },
    );
});
