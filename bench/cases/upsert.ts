import { median, time } from '../support/measure';
import { recordsRead, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const COUNT = 1000;
const CHANGED = 10;
const RECORDS = 100_000;

/** Requests and read records of Create or Update in a large application. */
export const upsert: Case = {
  name: 'upsert',
  run: async () => [
    ...(await withSetup({ records: RECORDS }, async (setup) => [
      await many(setup),
      await mostlyUnchanged(setup),
      await few(setup, { keys: 1, records: RECORDS, mostRequests: 6, mostRecords: 10 }),
    ])),
    await withSetup(
      { records: 20_000 },
      async (setup) => await few(setup, { keys: 3, records: 20_000, mostRequests: 10, mostRecords: 20 }),
    ),
    ...(await withSetup({}, async (setup) => [
      ...(await missing(setup, { keys: 3, records: 20_000, mostRequests: 12, mostRecords: 500 })),
      ...(await missing(setup, { keys: 1, records: RECORDS, mostRequests: 8, mostRecords: 300 })),
    ])),
  ],
};

/** The value of a record's matching part. */
function keyOf(number: number): string {
  return `N-${String(number).padStart(8, '0')}`;
}

/** Saved parameters of Create or Update by number. */
export const UPSERT = {
  resource: 'record',
  operation: 'upsert',
  application: { __rl: true, mode: 'identifier', value: 'large' },
  parts: {
    mappingMode: 'defineBelow',
    value: { Number: '={{ $json.number }}', Title: '={{ $json.title }}' },
    matchingColumns: ['Number'],
    schema: [],
  },
  conflictPolicy: 'overwrite',
  options: {},
};

/** 1,000 items, half of them new. */
async function many({ engine, sandbox }: Setup): Promise<Row> {
  const numbers = Array.from({ length: COUNT / 2 }, (_, index) => 1 + index * 150);
  const known = numbers.map((number) => ({ number: keyOf(number), title: 'changed' }));
  const fresh = numbers.map((number) => ({ number: `fresh ${number}`, title: 'new' }));
  await sandbox.clearStatistics();
  const input = [...known, ...fresh].map((json) => ({ json }));
  let outcomes: unknown[] = [];
  const ms = await time(async () => {
    outcomes = (await runOurs(engine, UPSERT, input)).json.map(({ outcome }) => outcome);
  });
  const { calls, callsByAction } = await sandbox.statistics();
  const created = outcomes.filter((outcome) => outcome === 'created').length;
  return {
    name: `create or update ${COUNT} into ${RECORDS} records`,
    ours: `${calls} requests (${callsByAction.list_data ?? 0} pages), ${created} created, ${ms.toFixed(0)} ms`,
    ratios: {},
    goal: 'at most 1030 requests, 500 created',
    met: calls <= 1030 && created === COUNT / 2,
  };
}

/** 1,000 items whose records are there; few differ from what these hold. */
async function mostlyUnchanged({ engine, sandbox }: Setup): Promise<Row> {
  const input = (changed: number) =>
    Array.from({ length: COUNT }, (_, index) => ({
      json: { number: keyOf(2 + index * 97), title: index < changed ? 'other' : 'same' },
    }));
  await runOurs(engine, UPSERT, input(0));
  await sandbox.clearStatistics();
  let outcomes: unknown[] = [];
  const ms = await time(async () => {
    outcomes = (await runOurs(engine, UPSERT, input(CHANGED))).json.map(({ outcome }) => outcome);
  });
  const { calls } = await sandbox.statistics();
  const updated = outcomes.filter((outcome) => outcome === 'updated').length;
  return {
    name: `create or update ${COUNT} of ${RECORDS} records, ${CHANGED} changed`,
    ours: `${calls} requests, ${updated} updated, ${ms.toFixed(0)} ms`,
    ratios: {},
    goal: `at most 40 requests, ${CHANGED} updated`,
    met: calls <= 40 && updated === CHANGED,
  };
}

interface Few {
  readonly keys: number;
  readonly records: number;
  readonly mostRequests: number;
  readonly mostRecords: number;
}

/** Some existing keys. */
async function few({ engine, sandbox }: Setup, asked: Few): Promise<Row> {
  const numbers = Array.from({ length: asked.keys }, (_, index) => asked.records - index * 1000);
  const times: number[] = [];
  let [calls, records] = [0, 0];
  for (let run = 0; run < 3; run++) {
    await sandbox.clearStatistics();
    await sandbox.clearLog();
    const input = numbers.map((number) => ({ json: { number: keyOf(number), title: `changed ${run}` } }));
    times.push(await time(async () => await runOurs(engine, UPSERT, input)));
    ({ calls } = await sandbox.statistics());
    records = await recordsRead(sandbox);
  }
  return {
    name: `create or update ${asked.keys} of ${asked.records} records`,
    ours: `${calls} requests, ${records} records read, ${median(times).toFixed(0)} ms`,
    ratios: {},
    goal: `at most ${asked.mostRequests} requests, ${asked.mostRecords} records read`,
    met: calls <= asked.mostRequests && records <= asked.mostRecords,
  };
}

/** Keys as offices have them; each is the value of the record with that number, and unique. */
const KINDS: readonly {
  readonly part: string;
  readonly type: string;
  readonly valueOf: (n: number) => string;
}[] = [
  { part: 'Name', type: 'textbox', valueOf: (n) => `N${n}` },
  { part: 'Account', type: 'textbox', valueOf: (n) => `Customer ${String(n).padStart(7, '0')}` },
  { part: 'Number', type: 'number', valueOf: String },
  { part: 'Day', type: 'date', valueOf: (n) => new Date(n * 86_400_000).toISOString().slice(0, 10) },
];

/** A key that is not there, beside others that are. */
async function missing({ engine, sandbox }: Setup, asked: Few): Promise<Row[]> {
  const { id } = await sandbox.createApplication({
    name: `Keys of ${asked.records}`,
    parts: KINDS.map(({ part, type }) => ({ name: part, type })),
    records: Array.from({ length: asked.records }, (_, index) =>
      Object.fromEntries(KINDS.map(({ part, valueOf }) => [part, valueOf(index + 1)])),
    ),
  });
  const rows: Row[] = [];
  for (const { part, valueOf } of KINDS) {
    const numbers = [asked.records + 1 + rows.length, asked.records / 2, 7].slice(0, asked.keys);
    const settings = {
      ...UPSERT,
      application: { __rl: true, mode: 'id', value: id },
      parts: {
        mappingMode: 'defineBelow',
        value: { [part]: '={{ $json.key }}' },
        matchingColumns: [part],
        schema: [],
      },
    };
    await sandbox.clearStatistics();
    await sandbox.clearLog();
    const input = numbers.map((n) => ({ json: { key: valueOf(n) } }));
    const { json } = await runOurs(engine, settings, input);
    const { calls } = await sandbox.statistics();
    const records = await recordsRead(sandbox);
    const created = json.filter(({ outcome }) => outcome === 'created').length;
    rows.push({
      name: `create or update ${asked.keys} by "${part}", one new, in ${asked.records} records`,
      ours: `${calls} requests, ${records} records read, ${created} created`,
      ratios: {},
      goal: `at most ${asked.mostRequests} requests, ${asked.mostRecords} records read`,
      met: calls <= asked.mostRequests && records <= asked.mostRecords && created === 1,
    });
  }
  return rows;
}
