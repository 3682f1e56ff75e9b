import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withFiles } from '../engine/support/rows';
import { itemsOf, RETRY, useWorkplace, type RunSettings } from '../engine/support/workplace';
import type { Fault } from '../support/sandbox';
import { FAULTS, hasApplied, isUntrue } from './support/faults';
import { judge, type Said, type Wish } from './support/judge';
import type * as QuickWaits from './support/quickWaits';

jest.mock(
  '../../nodes/ApplicationDataService/service/http/retry',
  () => jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickWaits().retry,
);
jest.mock(
  '../../nodes/ApplicationDataService/service/http/limiter',
  () => jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickWaits().limiter,
);

/**
 * Every fault at every step of every write: compares what the node reports with what the service stores. The steps are
 * all calls of the run.
 */
const place = useWorkplace(null);

const STEPS = 8;

const MODES = [
  ['Continue On Fail', { onError: 'continueRegularOutput' }],
  ['Retry On Fail', RETRY],
] as const;

interface Write {
  readonly operation: string;
  readonly settings: RunSettings;
  readonly input: readonly INodeExecutionData[];
  readonly wish: Wish;
  /** Whether the record can be read back. */
  readonly returns: boolean;
}

const FILE = { data: { name: 'x.txt', text: 'x' } };
const two = (key: string): IDataObject[] => [
  { n: key, p: 1 },
  { n: key, p: 2 },
];
const values = { Name: '={{ $json.n }}', Price: '={{ $json.p }}' };
const withFile = { ...values, Photo: 'data' };
const files = (items: IDataObject[]) => items.map((json) => withFiles(FILE, json));
const rowOf = {
  mappingMode: 'defineBelow',
  value: { Item: '={{ $json.n }}' },
  matchingColumns: [],
  schema: [],
};

/** The writes, each with two items, most of them for one record. */
function writes(): Record<string, Write> {
  const recordId = place.record();
  const attachment = { resource: 'attachment', recordId, attachmentPart: 'Photo' };
  const apart = [
    { n: 'a', p: 1 },
    { n: 'b', p: 2 },
  ];
  return {
    Create: {
      operation: 'create',
      settings: { values },
      input: itemsOf(...apart),
      wish: 'own',
      returns: true,
    },
    'Create with a file': {
      operation: 'create',
      settings: { values: withFile },
      input: files(apart),
      wish: 'own',
      returns: true,
    },
    Update: {
      operation: 'update',
      settings: { recordId, values: { Price: '={{ $json.p }}' } },
      input: itemsOf(...two('Bolt')),
      wish: 'price',
      returns: true,
    },
    'Update with a file': {
      operation: 'update',
      settings: { recordId, values: { Price: '={{ $json.p }}', Photo: 'data' } },
      input: files(two('Bolt')),
      wish: 'price',
      returns: true,
    },
    'Update with rows': {
      operation: 'update',
      settings: { recordId, values: { Lines: '={{ [{ Item: $json.n }] }}' } },
      input: itemsOf(...apart),
      wish: 'row',
      returns: true,
    },
    'Create or Update, new': {
      operation: 'upsert',
      settings: { values, matchBy: ['Name'] },
      input: itemsOf(...two('Cap')),
      wish: 'price',
      returns: true,
    },
    'Create or Update with a file, there': {
      operation: 'upsert',
      settings: { values: withFile, matchBy: ['Name'] },
      input: files(two('Bolt')),
      wish: 'price',
      returns: true,
    },
    'Table Row > Add': {
      operation: 'add',
      settings: { resource: 'tableRow', recordId, tablePart: 'Lines', row: rowOf },
      input: itemsOf(...apart),
      wish: 'row',
      returns: true,
    },
    'Attachment > Upload': {
      operation: 'upload',
      settings: { ...attachment, binaryPropertyName: '={{ $json.n }}' },
      input: apart.map((json) => withFiles({ [json.n]: { name: `${json.n}.txt`, text: json.n } }, json)),
      wish: 'file',
      returns: false,
    },
    Delete: {
      operation: 'delete',
      settings: { recordId: '={{ $json.id }}' },
      input: itemsOf({ id: place.record(0), n: 'Bolt' }, { id: place.record(1), n: 'Nut' }),
      wish: 'gone',
      returns: false,
    },
  };
}

const NAMES = [
  ...['Create', 'Create with a file', 'Update', 'Update with a file', 'Update with rows'],
  ...['Create or Update, new', 'Create or Update with a file, there'],
  ...['Table Row > Add', 'Attachment > Upload', 'Delete'],
];

/** The node's output for each item; `null` if n8n passed no items on. */
function saidOf(items: readonly INodeExecutionData[], count: number, failed: boolean): Said[] {
  if (failed) return Array.from({ length: count }, () => null);
  return items.map(({ json }) => json);
}

/**
 * Runs a write with a fault, or without one. @returns the problem with what the node reported; `null` if there is none.
 */
async function problemOf(
  name: string,
  node: (typeof MODES)[number][1],
  faults: readonly Fault[],
): Promise<string | null> {
  await place.open({
    records: [
      { Name: 'Bolt', Price: '0', Lines: [{ Item: 'first' }] },
      { Name: 'Nut', Price: '0' },
    ],
  });
  const { operation, settings, input, wish, returns } = writes()[name]!;
  await place.sandbox.setFaults(faults);
  const options = returns ? { returnRecord: true } : {};
  const { items, error } = await place.run(operation, { ...settings, options }, { input, node });
  const said = saidOf(items, input.length, error !== undefined);
  return judge(
    wish,
    input.map(({ json }) => json),
    said,
    await place.stored(),
    { refusesDone: faults.some(isUntrue), repeats: node === RETRY },
  );
}

/** Tries each fault at each call that the run makes without one, up to the limit. */
async function everyStep(name: string, node: (typeof MODES)[number][1]): Promise<void> {
  expect(await problemOf(name, node, [])).toBeNull();
  const steps = Math.min(STEPS, (await place.sandbox.log()).length);
  for (const [faultName, fault] of Object.entries(FAULTS)) {
    for (let skip = 0; skip < steps; skip++) {
      const problem = await problemOf(name, node, [{ ...fault, skip, times: 1 }]);
      expect([faultName, skip, problem]).toEqual([faultName, skip, null]);
    }
    expect(await hasApplied(place)).toBe(true);
  }
}

describe.each(MODES)('%s', (_, node) => {
  test.each(NAMES)('%s', async (name) => await everyStep(name, node), 300_000);
});
