import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

const mapped = (value: INodeParameters): INodeParameters => ({
  mappingMode: 'defineBelow',
  value,
  matchingColumns: [],
  schema: [],
});

/** Every operation on one record. */
const OPERATIONS: readonly (readonly [string, INodeParameters])[] = [
  ['get', {}],
  ['update', { parts: mapped({ Name: 'x' }) }],
  ['update', { parts: mapped({ Name: 'x' }), conflictPolicy: 'fail', revision: '3' }],
  ['update', { parts: mapped({ Name: 'x' }), options: { skipUnchanged: true } }],
  ['add', { resource: 'tableRow', tablePart: 'Lines', row: mapped({ Item: 'x' }) }],
  ['getAll', { resource: 'tableRow', tablePart: 'Lines' }],
  ['delete', { resource: 'attachment', attachmentPart: 'Photo', attachmentIds: '1' }],
  ['download', { resource: 'attachment', attachmentPart: 'Photo' }],
];

describe('a missing record', () => {
  test.each(OPERATIONS)('is named by %s', async (operation, parameters) => {
    const { error } = await place.run(operation, { ...parameters, recordId: '4711' });
    expect(error?.message).toBe('There is no record 4711 in Goods');
    expect(error?.description).toMatch(/^Check the ID\./);
    expect(error?.context?.itemIndex).toBe(0);
  });

  test.each([{ failureStatus: '400' }, { emptyList: 'error' }])(
    'is named in the dialect %j',
    async (dialect) => {
      await place.sandbox.setDialect(dialect);
      const { error } = await place.run('get', { recordId: '4711' });
      expect(error?.message).toBe('There is no record 4711 in Goods');
    },
  );

  test('is not claimed where the service fails with the words of a refusal', async () => {
    await place.sandbox.setDialect({ failureStatus: '500' });
    const { error } = await place.run('get', { recordId: '4711' });
    expect(error?.message).toBe('The service failed (HTTP 500) on get_data (tried 6 times)');
    expect(error?.description).toMatch(/4711.*Try again later/);
  });

  test('is named without the words of the service, which are in the details of the error', async () => {
    const { error } = await place.run('get', { recordId: '4711' });
    expect(error?.description).not.toContain('The service refused');
    expect((error as { messages?: string[] }).messages?.join()).toMatch(/^The service refused: .*data_id/);
  });

  test('is also named in an empty application, and for each item with one read of the application', async () => {
    await place.open({ records: [] });
    const input = itemsOf({ id: '1' }, { id: '2' }, { id: '3' });
    const node = { onError: 'continueRegularOutput' } as const;
    const { json } = await place.run('get', { recordId: '={{ $json.id }}' }, { input, node });
    expect(json).toEqual(
      ['1', '2', '3'].map((id) => ({
        error: `There is no record ${id} in Goods`,
        details: { outcome: 'refused', ids: [id] },
      })),
    );
    expect(await place.calls('count_data')).toHaveLength(1);
  });

  test('is named for the first ten refusals of a run; the others keep the words of the service', async () => {
    const input = itemsOf(...Array.from({ length: 30 }, (_, index) => ({ id: String(4711 + index) })));
    const node = { onError: 'continueRegularOutput' } as const;
    const { json } = await place.run('get', { recordId: '={{ $json.id }}' }, { input, node });
    const messages = json.map(({ error }) => error as string);
    expect(messages.slice(0, 10)).toEqual(
      Array.from({ length: 10 }, (_, index) => `There is no record ${4711 + index} in Goods`),
    );
    expect(messages.slice(10).filter((message) => !message.startsWith('The service refused: '))).toEqual([]);
    // Each item, then one look: another record, the ten again, and the state of the application.
    const reads = (await place.calls('get_data')).length;
    expect([reads, (await place.calls('list_data')).length]).toEqual([30 + 1 + 10, 1]);
  });
});

test.each(['get', 'count', 'getAll', 'create', 'delete'])(
  'a missing application is named by %s',
  async (operation) => {
    const application = { __rl: true, mode: 'id', value: '999' };
    const settings = { application, recordId: '1', parts: mapped({ Name: 'x' }) };
    const { error } = await place.run(operation, settings);
    expect(error?.message).toMatch(/^The application 999 cannot be read\. The service refused: .*app_id/);
  },
);

test('a refusal keeps the words of the service if the application refuses its other records, too', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -1, message: 'Not now', action: 'get_data', times: 100 },
  ]);
  const { error } = await place.run('get', { recordId: place.record() });
  expect(error?.message).toMatch(/^The service refused: Not now/);
});

test('a record that was written and cannot be read back is not called missing', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -1, message: 'Not now', action: 'get_data', times: 100 },
  ]);
  const { error } = await place.update({ values: { Name: 'x' }, options: { returnRecord: true } });
  expect(error?.message).toMatch(/^The record 1 is updated, but could not be read afterwards/);
});

describe('a part that the service names', () => {
  const parts = [
    { name: 'Order No', type: 'textbox', identifier: 'order_no', required: true },
    { name: 'Other', type: 'textbox', identifier: 'other' },
  ];

  test.each([false, true])(
    'is shown by its name, without braces; by identifier: %s',
    async (partIdentifierMode) => {
      await place.open({
        parts,
        partIdentifierMode,
        records: [{ 'Order No': '1' }],
        systemIdentifiers: { id: 'id' },
      });
      const { error } = await place.create({ values: { Other: 'x' } });
      expect(error?.message).toContain('"Order No"');
      const shown = JSON.stringify([
        error?.message,
        error?.description,
        (error as { messages?: unknown }).messages,
      ]);
      expect(shown).not.toMatch(/[{}]/);
      expect(shown).not.toContain('order_no');
      expect(shown.match(/must not be empty/g)).toHaveLength(1);
    },
  );
});

describe('a required part without a value is named by its label, by', () => {
  const lines = {
    name: 'Lines',
    type: 'input_list',
    identifier: 'lines',
    children: [
      { name: 'Item', type: 'textbox', identifier: 'item_code', required: true },
      { name: 'Remark', type: 'textbox', identifier: 'remark' },
    ],
  } as const;

  test.each<[string, INodeParameters, string]>([
    ['create', {}, 'Order No'],
    ['upsert', {}, 'Order No'],
    ['sync', {}, 'Order No'],
    ['update', { recordId: '1', options: { partsToEmpty: ['Order No'] } }, 'Order No'],
    ['add', { resource: 'tableRow', recordId: '1', tablePart: 'Lines' }, 'Item'],
  ])('%s', async (operation, more, label) => {
    await place.open({
      parts: [
        { name: 'Order No', type: 'textbox', identifier: 'order_no', required: true },
        { name: 'Remark', type: 'textbox', identifier: 'remark' },
        lines,
      ],
      partIdentifierMode: true,
      records: [{ 'Order No': '1' }],
      systemIdentifiers: { id: 'id' },
    });
    const mapping = { mappingMode: 'defineBelow', value: { Remark: 'x' }, matchingColumns: ['Remark'] };
    const { error } = await place.run(operation, { parts: mapping, row: mapping, ...more });
    expect(error?.message).toMatch(new RegExp(`^The service refused: The part "${label}" must not be empty`));
    expect(error?.description).toContain(`Check the value of "${label}".`);
  });
});

test('missing parts are refused with one list of the existing ones', async () => {
  const { error } = await place.create({ values: null }, { input: itemsOf({ Nmae: 1, Foo: 2, Bar: 3 }) });
  expect(error?.message).toBe('There are no parts "Nmae", "Foo", "Bar"');
  expect(error?.description?.match(/The parts that can be written are: /g)).toHaveLength(1);
  expect(error?.description).toMatch(/^Did you mean "Name"\? The parts/);
  expect(error?.description).toContain('"Ignore Unknown Keys"');
});
