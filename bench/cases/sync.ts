import { NodeConnectionTypes, type IConnections, type INode, type INodeParameters } from 'n8n-workflow';

import { CREDENTIAL } from '../../test/support/engine';
import { inTurn, milliseconds, ratio } from '../support/measure';
import { type Form, runHelper } from '../support/peer';
import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const RECORDS = 10_000;
const REMOVED = 10;
const CHANGED = 100;
/** The first ones compile the code. */
const RUNS = 12;

type Good = Readonly<Record<'Code' | 'Name' | 'Price', string>>;

/** Syncs a list of 9,990 items with 10,000 records, of which few differ. */
export const sync: Case = {
  name: 'sync',
  run: async () =>
    await withSetup({}, async (setup) => [
      await changes(setup),
      await nothing(setup),
      await againstNodes(setup),
    ]),
};

/** The list as it is in the application, except the first items, which are changed. */
function listOf(changed: number, run: number, from = REMOVED): Good[] {
  return Array.from({ length: RECORDS - from }, (_, index) => ({
    Code: `C${index + from}`,
    Name: index < changed ? `Good ${index + from}, round ${run}` : `Good ${index + from}`,
    Price: String(index + from),
  }));
}

const parametersFor = (app: string, missing: 'keep' | 'delete') => ({
  resource: 'record',
  operation: 'sync',
  application: byId(app),
  parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] },
  missing,
  options: {},
});

/** The necessary requests, in the order in which they depend on each other. */
function necessary(app_id: string): readonly (readonly Form[])[] {
  const updates = listOf(CHANGED, 1)
    .slice(0, CHANGED)
    .map(({ Code, Name }) => ({
      ...{ action: 'update_data', app_id, data_id: String(Number(Code.slice(1)) + 1) },
      ...{ '{{revision}}': '1', '{{Name}}': Name },
    }));
  const gone = Array.from({ length: REMOVED }, (_, index) => String(index + 1));
  return [
    [{ action: 'get_app', app_id }],
    ...['0', '5000', '10000'].map((offset) => [{ action: 'list_data', app_id, offset }]),
    [{ action: 'count_data', app_id }],
    [{ action: 'get_app', app_id }],
    updates,
    gone.map((data_id) => ({ action: 'get_data', app_id, data_id })),
    [{ action: 'delete_data', app_id, data_id: gone.join(',') }],
  ];
}

/** Compares with only the necessary requests: of undici, and of n8n's own helper, which every node has to use. */
async function changes({ engine, sandbox, direct, url }: Setup): Promise<Row> {
  const apps: string[] = [];
  for (let app = 0; app < 3 * RUNS + 1; app++) apps.push((await goods(sandbox, RECORDS)).id);
  const input = listOf(CHANGED, 1).map((json) => ({ json }));
  const tasks = {
    ours: async (): Promise<void> => {
      await runOurs(engine, parametersFor(apps.pop()!, 'delete'), input);
    },
    helper: async (): Promise<void> => {
      const kept: unknown[] = [];
      for (const forms of necessary(apps.pop()!)) kept.push(await runHelper(engine, url, forms));
    },
    limit: async (): Promise<void> => {
      const kept: unknown[] = [];
      for (const forms of necessary(apps.pop()!)) kept.push(await direct.callAll(forms));
    },
  };
  const times = await inTurn(tasks, RUNS);
  const toHelper = ratio(times.ours, times.helper);
  await sandbox.clearStatistics();
  await tasks.ours();
  const { callsByAction: calls } = await sandbox.statistics();
  const counted = Object.entries(calls).map(([action, count]) => `${count} ${action}`);
  const isFew = (calls.list_data ?? 0) <= 5 && (calls.count_data ?? 0) <= 2 && (calls.get_app ?? 0) <= 2;
  return {
    name: `sync ${RECORDS - REMOVED} items into ${RECORDS} records, ${CHANGED} changed, ${REMOVED} removed`,
    ours: `${milliseconds(times.ours)}, ${counted.join(', ')}`,
    peer: `helper alone ${milliseconds(times.helper)}`,
    limit: milliseconds(times.limit),
    ratios: {
      'ours/limit': ratio(times.ours, times.limit),
      'helper/limit': ratio(times.helper, times.limit),
      'ours/helper': toHelper,
    },
    goal: 'ours/helper <= 1.15; at most 5 list_data, 2 count_data, 2 get_app, 100 update_data, 10 get_data, 1 delete_data',
    met:
      toHelper <= 1.15 &&
      isFew &&
      calls.update_data === CHANGED &&
      calls.get_data === REMOVED &&
      calls.delete_data === 1,
  };
}

/** If nothing differs, only reads are needed. */
async function nothing({ engine, sandbox }: Setup): Promise<Row> {
  const { id } = await goods(sandbox, RECORDS);
  const input = listOf(0, 1, 0).map((json) => ({ json }));
  await sandbox.clearStatistics();
  const times = await inTurn(
    { ours: async () => await runOurs(engine, parametersFor(id, 'delete'), input) },
    1,
  );
  const { calls, callsByAction } = await sandbox.statistics();
  const reads = ['get_app', 'list_data', 'count_data'].reduce(
    (sum, name) => sum + (callsByAction[name] ?? 0),
    0,
  );
  return {
    name: `sync ${RECORDS} items into ${RECORDS} records, nothing changed`,
    ours: `${milliseconds(times.ours)}, ${calls} requests`,
    ratios: {},
    goal: 'reads only, at most 9',
    met: calls === reads && calls <= 9,
  };
}

/** Compares with a workflow of n8n's own nodes: read all, Compare Datasets, one write for each item that differs. */
async function againstNodes({ engine, sandbox, url }: Setup): Promise<Row> {
  const { id } = await goods(sandbox, RECORDS);
  await sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 20 }]);
  let run = 0;
  const input = (): { json: Good }[] => listOf(CHANGED, ++run, 0).map((json) => ({ json }));
  const ours = async () => await runOurs(engine, parametersFor(id, 'keep'), input());
  const peer = async (): Promise<void> => {
    const { nodes, connections } = comparison(id, url);
    const { error } = await engine.runNodes(nodes, connections, 'Write', { input: input() });
    if (error !== undefined) throw error;
  };
  // Compare Datasets compares each item with each other one, so one run takes long enough.
  const times = await inTurn({ ours, peer }, 1);
  const speed = ratio(times.peer, times.ours);
  return {
    name: `sync ${RECORDS} items, 1% changed, 20 ms latency`,
    ours: milliseconds(times.ours),
    peer: milliseconds(times.peer),
    ratios: { 'peer/ours': speed },
    goal: 'peer/ours >= 3.5',
    met: speed >= 3.5,
  };
}

/** Reads all pages, turns the records into plain items, compares them, and sends one request for each that differs. */
function comparison(app: string, url: string): { nodes: INode[]; connections: IConnections } {
  const request = (
    name: string,
    fields: Readonly<Record<string, string>>,
    options: INodeParameters,
  ): INode => ({
    ...{ id: name, name, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, position: [0, 0] },
    credentials: CREDENTIAL,
    parameters: {
      ...{ method: 'POST', url, authentication: 'predefinedCredentialType' },
      ...{ nodeCredentialType: 'applicationDataServiceApi', sendBody: true, contentType: 'form-urlencoded' },
      bodyParameters: { parameters: Object.entries(fields).map(([key, value]) => ({ name: key, value })) },
      options,
    },
  });
  const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters): INode => ({
    ...{ id: name, name, type, typeVersion, position: [0, 0], parameters },
  });
  const nodes = [
    node('First', 'n8n-nodes-base.limit', 1, { maxItems: 2 }),
    request(
      'Read',
      { action: 'list_data', app_id: app, offset: '={{ $itemIndex * 5000 }}', limit: '5000' },
      {},
    ),
    node('Flatten', 'bench.flatten', 1, {}),
    node('Compare', 'n8n-nodes-base.compareDatasets', 2.3, {
      mergeByFields: { values: [{ field1: 'Code', field2: 'Code' }] },
      resolve: 'mix',
      preferWhenMix: 'input1',
      exceptWhenMix: 'id, revision',
      options: { skipFields: 'id, revision' },
    }),
    request(
      'Write',
      {
        ...{ action: 'update_data', app_id: app, data_id: '={{ $json.id }}' },
        ...{ '{{revision}}': '={{ $json.revision }}', '{{Name}}': '={{ $json.Name }}' },
      },
      { batching: { batch: { batchSize: 10, batchInterval: 100 } } },
    ),
  ];
  const to = (name: string, index = 0) => [{ node: name, type: NodeConnectionTypes.Main, index }];
  const connections: IConnections = {
    Start: { main: [[...to('First'), ...to('Compare')]] },
    First: { main: [to('Read')] },
    Read: { main: [to('Flatten')] },
    Flatten: { main: [to('Compare', 1)] },
    Compare: { main: [[], [], to('Write'), []] },
  };
  return { nodes, connections };
}
