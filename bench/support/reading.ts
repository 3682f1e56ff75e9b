import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type {
  IConnections,
  IDataDeduplicator,
  IDeduplicationOutput,
  INode,
  INodeExecutionData,
  INodeParameters,
} from 'n8n-workflow';

import { CREDENTIAL } from '../../test/support/engine';
import { learnedTrigger } from './learnedTrigger';
import { runOurs, type Setup } from './setup';

const LARGE = { __rl: true, mode: 'identifier', value: 'large' };
const PAGE = 5000;

/** What reads many records, of ours or of a workflow of n8n's own nodes. */
export type Reading = 'getMany' | 'export' | 'exportAny' | 'poll';
export type Reader = 'ours' | 'peer';

export const GET_MANY = {
  resource: 'record',
  operation: 'getAll',
  application: LARGE,
  returnAll: true,
  options: {},
};

export const EXPORT = {
  resource: 'record',
  operation: 'export',
  application: LARGE,
  format: 'csv',
  binaryPropertyName: 'data',
  options: {},
};

/** Three lists, which together hold all records. */
const EXPORT_ANY = {
  ...EXPORT,
  match: 'any',
  filters: { condition: ['A', 'B', 'C'].map((value) => ({ part: 'Class', operator: 'equals', value })) },
};

const PARAMETERS = { getMany: GET_MANY, export: EXPORT, exportAny: EXPORT_ANY };

/** Prepares a reading of all records: a poll has seen them before. @returns one run of it, which gives its items. */
export async function prepareReading(
  setup: Setup,
  reader: Reader,
  reading: Reading,
): Promise<() => Promise<readonly INodeExecutionData[]>> {
  if (reader === 'peer') return await preparePeer(setup, reading);
  if (reading === 'poll') {
    const trigger = await learnedTrigger(setup);
    return async () => await trigger.pollItems();
  }
  await runOurs(setup.engine, { ...GET_MANY, returnAll: false, limit: 5 });
  return async () => (await runOurs(setup.engine, PARAMETERS[reading])).items;
}

/**
 * What people build today: HTTP Request with its pagination, then Split Out; for a file, Convert to File; for a poll,
 * Remove Duplicates, which remembers what earlier executions have seen.
 */
async function preparePeer(
  { engine, sandbox, url }: Setup,
  reading: Reading,
): Promise<() => Promise<readonly INodeExecutionData[]>> {
  const names = reading === 'poll' ? ['ID'] : Object.keys(await sandbox.partIds('large'));
  const nodes: INode[] = [paginated(url, [...names, 'revision']), SPLIT_OUT];
  if (reading === 'export') nodes.push(CONVERT_TO_FILE);
  if (reading === 'poll') nodes.push(REMOVE_DUPLICATES);
  const connections: IConnections = {};
  ['Start', ...nodes.slice(0, -1).map(({ name }) => name)].forEach((name, at) => {
    connections[name] = { main: [[{ node: nodes[at]!.name, type: 'main', index: 0 }]] };
  });
  const run = async (): Promise<readonly INodeExecutionData[]> => {
    const { error, items } = await engine.runNodes(nodes, connections, nodes.at(-1)!.name);
    if (error !== undefined) throw error;
    return items;
  };
  if (reading === 'poll') {
    await DataDeduplicationService.init(new SeenInMemory());
    await run();
  }
  return run;
}

function paginated(url: string, names: readonly string[]): INode {
  const fields = {
    action: 'list_data',
    app_id: '@large',
    fields: JSON.stringify(names.map((name) => ({ field_name: name }))),
    sort_field_id: '1',
    limit: String(PAGE),
  };
  const pagination = {
    paginationMode: 'updateAParameterInEachRequest',
    parameters: { parameters: [{ type: 'body', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }] },
    paginationCompleteWhen: 'other',
    completeExpression: `={{ $response.body.list.item.length < ${PAGE} }}`,
  };
  return nodeOf('Request', 'httpRequest', 4.2, {
    ...{ method: 'POST', url, authentication: 'predefinedCredentialType' },
    ...{ nodeCredentialType: 'applicationDataServiceApi', sendBody: true, contentType: 'form-urlencoded' },
    bodyParameters: { parameters: Object.entries(fields).map(([name, value]) => ({ name, value })) },
    options: { pagination: { pagination } },
  });
}

function nodeOf(name: string, type: string, typeVersion: number, parameters: INodeParameters): INode {
  return {
    ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
    credentials: CREDENTIAL,
  };
}

const SPLIT_OUT = nodeOf('Split Out', 'splitOut', 1, { fieldToSplitOut: 'list.item', options: {} });

const CONVERT_TO_FILE = nodeOf('Convert to File', 'convertToFile', 1.1, {
  ...{ operation: 'csv', binaryPropertyName: 'data', options: {} },
});

const REMOVE_DUPLICATES = nodeOf('Remove Duplicates', 'removeDuplicates', 2, {
  operation: 'removeItemsSeenInPreviousExecutions',
  logic: 'removeItemsWithAlreadySeenKeyValues',
  dedupeValue: '={{ $json.ID.val }}-{{ $json.revision.val }}',
  options: { historySize: 1_000_000 },
});

/** n8n keeps these hashes in its database. Here they cost nothing but memory, in favour of the peer. */
class SeenInMemory implements IDataDeduplicator {
  private readonly hashes = new Set<string>();

  async checkProcessedAndRecord(items: Parameters<IDataDeduplicator['checkProcessedAndRecord']>[0]) {
    const output: IDeduplicationOutput = { new: [], processed: [] };
    for (const item of items) {
      const hash = createHash('md5').update(String(item)).digest('base64');
      output[this.hashes.has(hash) ? 'processed' : 'new'].push(item);
      this.hashes.add(hash);
    }
    return await Promise.resolve(output);
  }

  async getProcessedDataCount(): Promise<number> {
    return await Promise.resolve(this.hashes.size);
  }

  checkProcessedItemsAndRecord = unused;
  removeProcessed = unused;
  clearAllProcessedItems = unused;
}

async function unused(): Promise<never> {
  return await Promise.reject(new Error('Remove Duplicates does not call this here.'));
}
