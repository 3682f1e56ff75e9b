import { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import {
  NodeConnectionTypes,
  NodeHelpers,
  Workflow,
  type ICredentialDataDecryptedObject,
  type IConnections,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type INodeTypes,
  type IRun,
  type IVersionedNodeType,
  type IWorkflowExecuteAdditionalData,
  type NodeExecutionHint,
} from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { TestCredentials } from './credentialsHelper';
import { startExecution } from './startExecution';

const NODE_TYPE = 'n8n-nodes-application-data-service.applicationDataService';
const NODE_NAME = 'Application Data Service';

let executions = 0;

/** The credential of a node in a test. */
export const CREDENTIAL = { applicationDataServiceApi: { id: '1', name: 'Test' } };

/** A node beside the package's: what it does, with one input and one output unless it has others. */
export function nodeThat(
  execute: NonNullable<INodeType['execute']>,
  more: Partial<INodeType['description']> = {},
): INodeType {
  const main = [NodeConnectionTypes.Main];
  return {
    description: {
      ...{
        displayName: 'Beside',
        name: 'beside',
        description: 'Stands beside',
        defaults: { name: 'Beside' },
      },
      ...{ group: ['transform'], version: 1, inputs: main, outputs: main, properties: [] },
      ...more,
    },
    execute,
  };
}

/** Outputs the pinned items of a test. */
const start = nodeThat(async () => await Promise.resolve([[{ json: {} }]]), {
  ...{ group: ['trigger'], inputs: [] },
});

/** The result of one execution. */
export interface EngineResult {
  /** The node's output items, and their json. To read them of an execution that an error has stopped throws that error. */
  readonly items: INodeExecutionData[];
  /** Items of the second output, with `onError: 'continueErrorOutput'`. */
  readonly errorItems: INodeExecutionData[];
  readonly json: INodeExecutionData['json'][];
  /** The error that stopped the execution. */
  readonly error: (Error & { description?: string | null; context?: { itemIndex?: number } }) | undefined;
  readonly hints: NodeExecutionHint[];
  readonly run: IRun;
}

export interface EngineOptions {
  readonly input?: readonly INodeExecutionData[];
  /** Settings of the node: `onError`, `retryOnFail`, ... */
  readonly node?: Partial<INode>;
  /** Cancels the execution when it resolves. */
  readonly cancel?: Promise<void>;
  readonly timezone?: string;
}

/** Runs the real node in n8n's execution engine, with one credential. */
export class Engine {
  private readonly node = new ApplicationDataService();

  /** Runs of the node in progress. A cancelled execution ends before they do. */
  private readonly runsInProgress = new Set<Promise<unknown>>();

  constructor(
    private readonly credential: ICredentialDataDecryptedObject,
    /** Node types besides the package's own, for workflows of several nodes. */
    private readonly moreTypes: Readonly<Record<string, INodeType | IVersionedNodeType>> = {},
  ) {
    const { node, runsInProgress } = this;
    node.execute = async function () {
      const done = ApplicationDataService.prototype.execute.call(this);
      runsInProgress.add(done);
      return await done.finally(() => runsInProgress.delete(done));
    };
  }

  /** Waits until the node has ended, even if its execution was cancelled. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.runsInProgress);
  }

  async run(parameters: INodeParameters, options: EngineOptions = {}): Promise<EngineResult> {
    return toResult(await this.execute(this.workflow(parameters, options), options), NODE_NAME);
  }

  /** Runs a workflow of several nodes that starts with "Start". @returns the result of the node `last`. */
  async runNodes(
    nodes: readonly INode[],
    connections: IConnections,
    last: string,
    options: EngineOptions = {},
  ): Promise<EngineResult> {
    return toResult(await this.execute(this.workflowOf(nodes, connections, options), options), last);
  }

  private async execute(workflow: Workflow, options: EngineOptions): Promise<IRun> {
    const input = [...(options.input ?? [{ json: {} }])];
    const engine = new WorkflowExecute(this.additionalData(workflow), 'manual');
    const startNode = workflow.nodes.Start!;
    const execution = startExecution(engine, { workflow, startNode, pinData: { Start: input } });
    void options.cancel?.then(() => execution.cancel());
    return await execution;
  }

  /** The context in which the editor's dropdowns load. */
  editor(parameters: INodeParameters, path = ''): LoadOptionsContext {
    const workflow = this.workflow(parameters, {});
    return new LoadOptionsContext(
      workflow,
      workflow.nodes[NODE_NAME]!,
      { ...this.additionalData(workflow), currentNodeParameters: parameters },
      path,
    );
  }

  private workflow(parameters: INodeParameters, options: EngineOptions): Workflow {
    const node: INode = {
      id: '2',
      name: NODE_NAME,
      type: NODE_TYPE,
      typeVersion: 1,
      position: [200, 0],
      parameters,
      credentials: CREDENTIAL,
      ...options.node,
    };
    return this.workflowOf(
      [node],
      { Start: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
      options,
    );
  }

  private workflowOf(
    nodes: readonly INode[],
    connections: IConnections,
    { timezone }: EngineOptions,
  ): Workflow {
    return new Workflow({
      id: 'test',
      name: 'Test',
      active: false,
      nodeTypes: this.nodeTypes(),
      settings: { executionOrder: 'v1', timezone: timezone ?? 'Asia/Tokyo' },
      nodes: [
        { id: '1', name: 'Start', type: 'test.start', typeVersion: 1, position: [0, 0], parameters: {} },
        ...nodes,
      ],
      connections,
    });
  }

  private nodeTypes(): INodeTypes {
    const types: Record<string, INodeType | IVersionedNodeType> = {
      ...this.moreTypes,
      'test.start': start,
      [NODE_TYPE]: this.node,
    };
    const find = (name: string): INodeType | IVersionedNodeType => {
      const type = types[name];
      if (type === undefined) throw new Error(`Unknown node type ${name}`);
      return type;
    };
    return {
      getByName: find,
      getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(find(name), version),
      getKnownTypes: () => ({}),
    };
  }

  private additionalData(workflow: Workflow): IWorkflowExecuteAdditionalData {
    const workflowData = {
      id: workflow.id,
      name: 'Test',
      active: false,
      isArchived: false,
      activeVersionId: null,
      createdAt: new Date(),
      updatedAt: new Date(),
      nodes: Object.values(workflow.nodes),
      connections: workflow.connectionsBySourceNode,
    };
    const url = 'http://127.0.0.1:5678/';
    return {
      credentialsHelper: new TestCredentials(this.credential),
      hooks: new ExecutionLifecycleHooks('manual', 'test', workflowData),
      currentNodeExecutionIndex: 0,
      restApiUrl: url,
      instanceBaseUrl: url,
      formBaseUrl: url,
      formWaitingBaseUrl: url,
      formTestBaseUrl: url,
      webhookBaseUrl: url,
      webhookWaitingBaseUrl: url,
      webhookTestBaseUrl: url,
      mcpBaseUrl: url,
      mcpTestBaseUrl: url,
      variables: {},
      logAiEvent: () => undefined,
      executionId: `test-${++executions}`,
    } as unknown as IWorkflowExecuteAdditionalData;
  }
}

function toResult(run: IRun, node: string): EngineResult {
  const { resultData } = run.data;
  const task = resultData.runData[node]?.at(-1);
  const [items, errorItems] = task?.data?.main ?? [];
  const error = resultData.error ?? task?.error;
  const output = (): INodeExecutionData[] => {
    if (error !== undefined) throw error;
    return items ?? [];
  };
  return {
    get items() {
      return output();
    },
    get json() {
      return output().map(({ json }) => json);
    },
    errorItems: errorItems ?? [],
    error,
    hints: task?.hints ?? [],
    run,
  };
}
