import { PollContext } from 'n8n-core';
import {
  Workflow,
  type IBinaryData,
  type ICredentialDataDecryptedObject,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeTypes,
  type IWorkflowExecuteAdditionalData,
  type WorkflowActivateMode,
} from 'n8n-workflow';

import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { TestCredentials } from './credentialsHelper';

const NODE_TYPE = 'n8n-nodes-application-data-service.applicationDataServiceTrigger';
const NODE_NAME = 'Trigger';

let workflows = 0;

export interface TriggerOptions {
  /** Milliseconds that n8n grants a poll; its own default when absent. */
  readonly budgetMs?: number;
  readonly timezone?: string;
}

/**
 * The real trigger node in n8n's poll context. As in n8n, what the node remembers is saved when a poll gives items and
 * once after activation; a restart begins with what was saved.
 */
export class TriggerEngine {
  /** Warnings that the node logged. */
  readonly warnings: string[] = [];
  private readonly node = new ApplicationDataServiceTrigger();
  private readonly id = `trigger-${++workflows}`;
  private saved: IDataObject = {};
  private workflow: Workflow | undefined;
  private context: PollContext | undefined;

  constructor(
    public credential: ICredentialDataDecryptedObject,
    public parameters: INodeParameters,
    private readonly options: TriggerOptions = {},
  ) {}

  /** Starts the workflow as a person, n8n's start or a new leader does, with its immediate poll. */
  async activate(mode: WorkflowActivateMode = 'activate'): Promise<IDataObject[]> {
    return (await this.activateItems(mode)).map(({ json }) => json);
  }

  /** The same; gives the items. */
  async activateItems(mode: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[]> {
    this.workflow = this.newWorkflow();
    this.context = this.newContext(this.workflow, 'trigger', mode);
    const items = await this.pollItems();
    this.save();
    return items;
  }

  /** One poll; gives the json of its items. */
  async poll(): Promise<IDataObject[]> {
    return (await this.pollItems()).map(({ json }) => json);
  }

  /** One poll; gives its items. */
  async pollItems(): Promise<INodeExecutionData[]> {
    if (this.context === undefined) throw new Error('The workflow is not active');
    const given = await this.node.poll.call(this.context);
    if (given === null) return [];
    this.save();
    return given[0]!;
  }

  /** Ends the process and begins another with what was saved. */
  async restart(): Promise<IDataObject[]> {
    return await this.activate('init');
  }

  /** The same trigger in another process, which begins with what this one has saved so far. */
  successor(): TriggerEngine {
    const successor = new TriggerEngine(this.credential, this.parameters, this.options);
    successor.saved = structuredClone(this.saved);
    return successor;
  }

  /** What a click on Fetch Test Event gives. */
  async manual(): Promise<IDataObject[]> {
    const context = this.newContext(this.newWorkflow(), 'manual', 'manual');
    return (await this.node.poll.call(context))?.[0]?.map(({ json }) => json) ?? [];
  }

  /** The node's state as it stands in memory. */
  get state(): string | undefined {
    return this.workflow?.getStaticData('node', this.workflow.nodes[NODE_NAME]).state as string | undefined;
  }

  /** Puts a state in place of the saved one. */
  replaceState(state: unknown): void {
    this.saved = { [`node:${NODE_NAME}`]: { state } };
  }

  private save(): void {
    const data = this.workflow!.staticData as IDataObject & { __dataChanged: boolean };
    if (!data.__dataChanged) return;
    this.saved = JSON.parse(JSON.stringify(data)) as IDataObject;
    data.__dataChanged = false;
  }

  private newWorkflow(): Workflow {
    const node: INode = {
      id: '1',
      name: NODE_NAME,
      type: NODE_TYPE,
      typeVersion: 1,
      position: [0, 0],
      parameters: this.parameters,
      credentials: { applicationDataServiceApi: { id: '1', name: 'Test' } },
    };
    const nodeTypes = {
      getByName: () => this.node,
      getByNameAndVersion: () => this.node,
      getKnownTypes: () => ({}),
    } as INodeTypes;
    return new Workflow({
      id: this.id,
      name: 'Test',
      active: true,
      nodes: [node],
      connections: {},
      nodeTypes,
      settings: { timezone: this.options.timezone ?? 'Asia/Tokyo' },
      staticData: JSON.parse(JSON.stringify(this.saved)) as IDataObject,
    });
  }

  private newContext(
    workflow: Workflow,
    mode: 'trigger' | 'manual',
    activation: WorkflowActivateMode,
  ): PollContext {
    const { budgetMs } = this.options;
    const context = new PollContext(
      workflow,
      workflow.nodes[NODE_NAME]!,
      {
        credentialsHelper: new TestCredentials(this.credential),
      } as unknown as IWorkflowExecuteAdditionalData,
      mode,
      activation,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      budgetMs === undefined ? undefined : () => budgetMs,
    );
    Object.assign(context.helpers, { prepareBinaryData });
    const warn = (message: string): void => void this.warnings.push(message);
    return Object.create(context, { logger: { value: { ...context.logger, warn } } }) as PollContext;
  }
}

/** n8n's binary store in memory: it reads a file to its end. */
async function prepareBinaryData(
  content: AsyncIterable<Uint8Array>,
  fileName: string,
  mimeType: string,
): Promise<IBinaryData> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { data: Buffer.concat(chunks).toString('base64'), fileName, mimeType };
}
