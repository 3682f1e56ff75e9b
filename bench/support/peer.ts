import { createRequire } from 'node:module';
import { join } from 'node:path';

import {
  NodeConnectionTypes,
  type IConnections,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type IVersionedNodeType,
} from 'n8n-workflow';

import { DEMO } from './installed';
import { itemsOf, type Listed } from './direct';
import { time } from './measure';
import { CREDENTIAL, type Engine, type EngineResult } from '../../test/support/engine';

/** n8n's own nodes, from the n8n that the demo installs, and a node that only calls n8n's request helper. */
export function peerTypes(): Record<string, INodeType | IVersionedNodeType> {
  const load = createRequire(join(DEMO, 'package.json'));
  const make = (path: string, name: string): INodeType | IVersionedNodeType => {
    const module = load(`n8n-nodes-base/dist/nodes/${path}`) as Record<
      string,
      new () => INodeType | IVersionedNodeType
    >;
    const Type = module[name];
    if (Type === undefined) throw new Error(`${path} has no ${name}`);
    return new Type();
  };
  return {
    'n8n-nodes-base.splitInBatches': make('SplitInBatches/SplitInBatches.node.js', 'SplitInBatches'),
    'n8n-nodes-base.httpRequest': make('HttpRequest/HttpRequest.node.js', 'HttpRequest'),
    'n8n-nodes-base.limit': make('Transform/Limit/Limit.node.js', 'Limit'),
    'n8n-nodes-base.splitOut': make('Transform/SplitOut/SplitOut.node.js', 'SplitOut'),
    'n8n-nodes-base.removeDuplicates': make(
      'Transform/RemoveDuplicates/RemoveDuplicates.node.js',
      'RemoveDuplicates',
    ),
    'n8n-nodes-base.convertToFile': make('Files/ConvertToFile/ConvertToFile.node.js', 'ConvertToFile'),
    'n8n-nodes-base.compareDatasets': make('CompareDatasets/CompareDatasets.node.js', 'CompareDatasets'),
    'bench.helper': helperNode,
    'bench.flatten': flattenNode,
  };
}

/** Sends one form for each item through the bare helper, and keeps what a node has to keep. */
const helperNode: INodeType = {
  description: {
    displayName: 'Helper',
    name: 'helper',
    group: ['transform'],
    version: 1,
    description: 'Calls the request helper alone',
    defaults: { name: 'Helper' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'applicationDataServiceApi', required: true }],
    properties: [
      { displayName: 'URL', name: 'url', type: 'string', default: '' },
      { displayName: 'Calls under Way', name: 'underWay', type: 'number', default: 4 },
    ],
  },
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const url = this.getNodeParameter('url', 0) as string;
    const underWay = this.getNodeParameter('underWay', 0) as number;
    const output: INodeExecutionData[][] = [];
    const queue = this.getInputData().entries();
    const work = async (): Promise<void> => {
      for (const [index, { json }] of queue) {
        const body = new URLSearchParams(json as Record<string, string>);
        const answer: unknown = await this.helpers.httpRequestWithAuthentication.call(
          this,
          'applicationDataServiceApi',
          { method: 'POST', url, body, disableFollowRedirect: true },
        );
        output[index] = itemsOf(answer as Listed);
      }
    };
    await Promise.all(Array.from({ length: underWay }, work));
    return [output.flat()];
  },
};

/** Turns the records of lists into plain items, as a few lines in a Code node would. */
const flattenNode: INodeType = {
  description: {
    displayName: 'Flatten',
    name: 'flatten',
    group: ['transform'],
    version: 1,
    description: 'Makes plain items of the records of lists',
    defaults: { name: 'Flatten' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
  },
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    interface Listed {
      readonly list: { readonly item: readonly Record<string, { readonly val?: string }>[] };
    }
    const records = this.getInputData().flatMap(({ json }) => (json as unknown as Listed).list.item);
    const items = records.map(({ ID, revision, Code, Name, Price }) => ({
      json: { id: ID?.val, revision: revision?.val, Code: Code?.val, Name: Name?.val, Price: Price?.val },
    }));
    return await Promise.resolve([items]);
  },
};

/** The form fields of one call. */
export type Form = Readonly<Record<string, string>>;

/** Forms as items with keys that can be used in an expression. A part's field name, in double braces, cannot. */
function items(forms: readonly Form[]): INodeExecutionData[] {
  return forms.map((form) => ({
    json: Object.fromEntries(Object.values(form).map((value, index) => [`field${index}`, value])),
  }));
}

/** Sends forms with the bare helper, as many at the same time as the node that is compared with it. */
export async function runHelper(
  engine: Engine,
  url: string,
  forms: readonly Form[],
  underWay = 4,
): Promise<EngineResult> {
  const node: INode = {
    id: '2',
    name: 'Helper',
    type: 'bench.helper',
    typeVersion: 1,
    position: [0, 0],
    parameters: { url, underWay },
    credentials: CREDENTIAL,
  };
  const connections: IConnections = { Start: { main: [[{ node: 'Helper', type: 'main', index: 0 }]] } };
  return checked(
    await engine.runNodes([node], connections, 'Helper', { input: forms.map((json) => ({ json })) }),
  );
}

/** Loop Over Items and HTTP Request, one item at a time. Each item's json is the form to send. */
export async function runLoop(engine: Engine, url: string, forms: readonly Form[]): Promise<EngineResult> {
  const nodes: INode[] = [
    {
      id: '2',
      name: 'Loop',
      type: 'n8n-nodes-base.splitInBatches',
      typeVersion: 3,
      position: [0, 0],
      parameters: { batchSize: 1, options: {} },
    },
    requestNode(url, forms[0] ?? {}, {}),
  ];
  const connections: IConnections = {
    Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
    Loop: { main: [[], [{ node: 'Request', type: 'main', index: 0 }]] },
    Request: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
  };
  return checked(await engine.runNodes(nodes, connections, 'Loop', { input: items(forms) }));
}

/**
 * HTTP Request alone with its batching: it sends ten requests at once and waits, without looking at the answers. Uses
 * the shortest interval that causes no 429.
 * @returns that interval and the time it took, in milliseconds.
 */
export async function fastestBatching(
  engine: Engine,
  url: string,
  forms: readonly Form[],
): Promise<{ interval: number; ms: number }> {
  for (let interval = 25; ; interval *= 2) {
    const options = { batching: { batch: { batchSize: 10, batchInterval: interval } } };
    const node = requestNode(url, forms[0] ?? {}, options);
    const connections: IConnections = { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } };
    let refused = false;
    const ms = await time(async () => {
      const { error } = await engine.runNodes([node], connections, 'Request', { input: items(forms) });
      refused = error !== undefined;
    });
    if (!refused) return { interval, ms };
  }
}

function requestNode(url: string, form: Form, options: INodeParameters): INode {
  return {
    id: '3',
    name: 'Request',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
    credentials: CREDENTIAL,
    parameters: {
      method: 'POST',
      url,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'applicationDataServiceApi',
      sendBody: true,
      contentType: 'form-urlencoded',
      bodyParameters: {
        parameters: Object.keys(form).map((name, index) => ({ name, value: `={{ $json.field${index} }}` })),
      },
      options,
    },
  };
}

function checked(result: EngineResult): EngineResult {
  if (result.error !== undefined) throw result.error;
  return result;
}
