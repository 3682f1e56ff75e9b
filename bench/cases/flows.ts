import { Session } from 'node:inspector/promises';

import type { INodeParameters } from 'n8n-workflow';

import { TriggerEngine } from '../../test/support/triggerEngine';
import { byId, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

type Flow = readonly [name: string, run: () => Promise<unknown>];

/**
 * How much code one plain flow runs through, the second time: what a reader follows to understand it. No goal: a count of
 * files would reward merging them.
 */
export const flows: Case = {
  name: 'flows',
  run: async () => await withSetup({}, async (setup) => await count(await flowsOf(setup))),
};

async function flowsOf({ engine, sandbox }: Setup): Promise<Flow[]> {
  const { id, records = [] } = await sandbox.createApplication({
    name: 'Flows',
    parts: [
      { name: 'Name', type: 'textbox' },
      { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
    ],
    records: [{ Name: 'a', Lines: [{ Item: 'x' }] }],
  });
  const [record = '1'] = records.map(String);
  const values = (value: object, matchingColumns: string[] = []): INodeParameters => ({
    parts: { mappingMode: 'defineBelow', value: value as INodeParameters, matchingColumns, schema: [] },
    options: {},
  });
  const node = (operation: string, more: INodeParameters) => async () =>
    await runOurs(engine, { resource: 'record', operation, application: byId(id), ...more }, [{ json: {} }]);
  const trigger = new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { application: byId(id), events: ['created', 'updated', 'deleted'], options: {} },
  );
  await trigger.activate();
  const update = values({ Lines: [{ Item: 'y' }] });
  return [
    ['Create', node('create', values({ Name: 'b' }))],
    ['Update with rows', node('update', { recordId: record, ...update })],
    ['Get Many', node('getAll', { returnAll: true, options: {} })],
    ['Sync', node('sync', { missing: 'keep', ...values({ Name: 'a' }, ['Name']) })],
    ['A poll', async () => await trigger.poll()],
  ];
}

/** Runs each flow once, and counts what its second run calls: functions with a name, in files of the nodes. */
async function count(all: readonly Flow[]): Promise<Row[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const rows: Row[] = [];
  for (const [name, run] of all) {
    await run();
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    rows.push(rowOf(name, result));
  }
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return rows;
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { count: number }[];
  }[];
}

function rowOf(name: string, scripts: readonly Script[]): Row {
  const files = scripts
    .filter(({ url }) => url.includes('/nodes/ApplicationDataService/'))
    .map(({ functions }) => functions.filter(isCalled).length)
    .filter((called) => called > 0);
  const functions = files.reduce((sum, called) => sum + called, 0);
  return {
    name: `${name}: files and functions that run`,
    ours: `${files.length} files, ${functions} functions`,
    ratios: {},
    goal: '',
    met: null,
  };
}

function isCalled({ functionName, ranges }: Script['functions'][number]): boolean {
  return functionName !== '' && (ranges[0]?.count ?? 0) > 0;
}
