import { like } from './support/like';
import { rowOf } from './support/rows';
import { byId, mapped } from './support/saved';
import { CONTINUE, each, ng, testTable } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const GET = { operation: 'get', recordId: '4711' };
const NAMED = 'There is no record 4711 in Goods';
const name = { values: { Name: 'x' } };
const photo = { resource: 'attachment', attachmentPart: 'Photo', attachmentIds: '1' };
/** IDs of missing records. */
const missing = (count: number, first = 4711) =>
  Array.from({ length: count }, (_, n) => ({ id: String(first + n) }));
const eachId = { run: { recordId: '={{ $json.id }}' }, node: CONTINUE };
const messagesOf = (error: unknown): string[] => (error as { messages?: string[] }).messages ?? [];

/** Every operation on one record. */
const OPERATIONS: readonly RunSettings[] = [
  { operation: 'get' },
  { operation: 'update', ...name },
  { operation: 'update', ...name, conflictPolicy: 'fail', revision: '3' },
  { operation: 'update', ...name, options: { skipUnchanged: true } },
  { operation: 'add', ...rowOf({ Item: 'x' }) },
  { operation: 'getAll', ...rowOf(null) },
  { operation: 'delete', ...photo },
  { operation: 'download', ...photo },
];

describe('a missing record', () => {
  testTable(place, GET, {
    ...each(OPERATIONS)('is named by %s', (run) => ({
      run: { ...run, recordId: '4711' },
      ...{ error: /^There is no record 4711 in Goods$/, advice: /^Check the ID\./, item: 0 },
    })),
    ...each([{ failureStatus: '400' }, { emptyList: 'error' }])('is named in the dialect %s', (dialect) => ({
      dialect,
      error: NAMED,
    })),
    'is not claimed where the service fails with the words of a refusal': {
      dialect: { failureStatus: '500' },
      error: /^The service failed \(HTTP 500\) on get_data \(tried 6 times\)$/,
      advice: /4711.*Try again later/,
    },
    'is named without the words of the service, which are in the details of the error': {
      ...{ error: NAMED, advice: /^(?!.*The service refused)/s },
      after: (_, { error }) => expect(messagesOf(error).join()).toMatch(/^The service refused: .*data_id/),
    },
    'is also named in an empty application, and for each item with one read of the application': {
      ...{ application: { records: [] }, items: missing(3, 1), ...eachId },
      output: ['1', '2', '3'].map((id) => ({
        error: `There is no record ${id} in Goods`,
        details: { outcome: 'refused', ids: [id], hint: like(/^Check the ID/) },
      })),
      sent: { count_data: 1 },
    },
    'is named for the first ten refusals of a run; the others keep the words of the service': {
      ...{ items: missing(30), ...eachId },
      shows: missing(30).map(({ id }, index) => ({
        error: index < 10 ? `There is no record ${id} in Goods` : like(/^The service refused: /),
      })),
      // Each item, then one look: another record, the ten again, and the state of the application.
      sent: { get_data: 30 + 1 + 10, list_data: 1 },
    },
    ...each(['get', 'count'])('a missing application is named by %s', (operation) => ({
      run: { operation, application: byId('999'), ...name },
      error: /^The application 999 cannot be read\. The service refused: .*app_id/,
    })),
    'a refusal keeps the words of the service if the application refuses its other records, too': {
      ...{ run: { recordId: '1' }, faults: [ng('get_data')], error: /^The service refused: no/ },
    },
  });
});

const ORDER = {
  parts: [
    { name: 'Order No', type: 'textbox', identifier: 'order_no', required: true },
    { name: 'Remark', type: 'textbox', identifier: 'remark' },
    {
      ...{ name: 'Lines', type: 'input_list', identifier: 'lines' },
      children: [
        { name: 'Item', type: 'textbox', identifier: 'item_code', required: true },
        { name: 'Remark', type: 'textbox', identifier: 'remark' },
      ],
    },
  ],
  partIdentifierMode: true,
  records: [{ 'Order No': '1' }],
  systemIdentifiers: { id: 'id' },
} as const;
const mapping = mapped({ Remark: 'x' }, ['Remark']);

testTable(place, 'create', {
  ...each([false, true])(
    'a part that the service names is shown by its name, without braces; by identifier: %s',
    (partIdentifierMode) => ({
      application: { ...ORDER, partIdentifierMode },
      ...{ run: { values: { Remark: 'x' } }, error: '"Order No"' },
      after: (_, { error }) => {
        const shown = JSON.stringify([error?.message, error?.description, messagesOf(error)]);
        expect(shown).not.toMatch(/[{}]|order_no/);
        expect(shown.match(/must not be empty/g)).toHaveLength(1);
      },
    }),
  ),
  ...each([
    ['create', {}, 'Order No'],
    ['update', { recordId: '1', options: { partsToEmpty: ['Order No'] } }, 'Order No'],
    ['add', { resource: 'tableRow', recordId: '1', tablePart: 'Lines' }, 'Item'],
  ] satisfies [string, RunSettings, string][])(
    'a required part without a value is named by its label, by %s',
    ([operation, run, label]) => ({
      ...{ application: ORDER, run: { operation, parts: mapping, row: mapping, ...run } },
      error: new RegExp(`^The service refused: The part "${label}" must not be empty`),
      advice: `Check the value of "${label}".`,
    }),
  ),
  'missing parts are refused with one list of the existing ones': {
    ...{ run: { values: null }, items: [{ Nmae: 1, Foo: 2, Bar: 3 }] },
    error: /^There are no parts "Nmae", "Foo", "Bar"$/,
    advice:
      /^Did you mean "Name"\? The parts that can be written are: (?!.*The parts that can).*"Ignore Unknown Keys"/s,
  },
});
