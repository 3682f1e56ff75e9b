import type { INodeParameters } from 'n8n-workflow';

import { time } from '../support/measure';
import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Growth, Row } from '../support/table';
import { UPSERT } from './upsert';

const ITEMS = [1, 10, 100, 1000];
const RECORDS = [100, 1000, 10_000, 100_000];
const EXECUTIONS = [1, 2, 5, 10];

/** How long the service works on a call when executions are timed. It works on one call at a time. */
const WORK_MS = 20;
/** The number of records in each of these executions. */
const EACH = 25;

/**
 * How requests grow with the items of an execution and the records of an application, and how time grows with
 * executions.
 */
export const growth: Case = {
  name: 'growth',
  run: async () => [...(await byItems()), ...(await byRecords()), ...(await byExecutions())],
};

async function byItems(): Promise<Row[]> {
  return await withSetup({}, async (setup) => {
    const counted: Record<string, [number, number][]> = {};
    for (const items of ITEMS) {
      const app = await goods(setup.sandbox, 1000);
      const common = { resource: 'record', application: byId(app.id), options: {} };
      const auto = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] };
      const known = app.records.slice(0, items).map((id, n) => ({ id, Code: `C${n}`, Name: `Changed ${n}` }));
      const fresh = known.map(({ Name }, n) => ({ Code: `New ${n}`, Name }));
      const change = { values: { Name: '={{ $json.Name }}' } };
      const parts = { mappingMode: 'defineBelow', value: change.values, matchingColumns: [], schema: [] };
      const given: readonly [string, INodeParameters, object[]][] = [
        ['Create', { ...common, operation: 'create', parts: auto }, fresh],
        ['Update', { ...common, operation: 'update', recordId: '={{ $json.id }}', parts }, known],
        [
          'Create or Update',
          { ...common, operation: 'upsert', parts: auto },
          known.map(({ Code, Name }) => ({ Code, Name })),
        ],
        ['Delete', { ...common, operation: 'delete', recordId: '={{ $json.id }}' }, known],
      ];
      for (const [name, parameters, input] of given) {
        (counted[name] ??= []).push([items, await requestsOf(setup, parameters, input)]);
      }
    }
    return Object.entries(counted).map(([series, points]) =>
      row({ by: 'items', series, points }, 'requests'),
    );
  });
}

async function byRecords(): Promise<Row[]> {
  const counted: Record<string, [number, number][]> = {};
  for (const records of RECORDS) {
    await withSetup({ records }, async (setup) => {
      const application = UPSERT.application;
      const all = { resource: 'record', operation: 'getAll', application, returnAll: true, options: {} };
      const known = `N-${String(records >> 1).padStart(8, '0')}`;
      const given: readonly [string, INodeParameters, object[]][] = [
        ['Get Many, all', all, [{}]],
        ['Create or Update, there', UPSERT, [{ number: known, title: 'changed' }]],
        ['Create or Update, new', UPSERT, [{ number: 'fresh', title: 'new' }]],
        ['Delete', { ...all, operation: 'delete', recordId: '1' }, [{}]],
      ];
      for (const [name, parameters, input] of given) {
        (counted[name] ??= []).push([records, await requestsOf(setup, parameters, input)]);
      }
    });
  }
  return Object.entries(counted).map(([series, points]) =>
    row({ by: 'records', series, points }, 'requests'),
  );
}

async function byExecutions(): Promise<Row[]> {
  const [ours, limit]: [number, number][][] = [[], []];
  for (const executions of EXECUTIONS) {
    await withSetup({}, async ({ engine, sandbox }) => {
      const app = await goods(sandbox, 1);
      await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: WORK_MS, action: 'insert_data' }]);
      const parts = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
      const parameters = {
        resource: 'record',
        operation: 'create',
        application: byId(app.id),
        parts,
        options: {},
      };
      const write = async (_: unknown, n: number) =>
        await runOurs(
          engine,
          parameters,
          Array.from({ length: EACH }, (_, i) => ({ json: { Code: `${n}-${i}` } })),
        );
      const ms = await time(async () => await Promise.all(Array.from({ length: executions }, write)));
      ours?.push([executions, Number((ms / 1000).toFixed(2))]);
      limit?.push([executions, (executions * EACH * WORK_MS) / 1000]);
    });
  }
  return [
    row({ by: 'executions', series: 'these nodes', points: ours ?? [] }, 's'),
    row({ by: 'executions', series: 'the service alone', points: limit ?? [] }, 's'),
  ];
}

async function requestsOf(
  { engine, sandbox }: Setup,
  parameters: INodeParameters,
  input: object[],
): Promise<number> {
  await sandbox.clearStatistics();
  await runOurs(
    engine,
    parameters,
    input.map((json) => ({ json })),
  );
  return (await sandbox.statistics()).calls;
}

function row(line: Growth, unit: string): Row {
  return {
    name: `${line.series}, by ${line.by}`,
    ours: line.points.map(([x, y]) => `${x}: ${y} ${unit}`).join(', '),
    ratios: {},
    goal: '',
    met: null,
    growth: line,
  };
}
