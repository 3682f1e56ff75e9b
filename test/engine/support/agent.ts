import {
  NodeConnectionTypes,
  type EngineRequest,
  type EngineResponse,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
} from 'n8n-workflow';

import { ApplicationDataService } from '../../../nodes/ApplicationDataService/ApplicationDataService.node';
import { CREDENTIAL, Engine, type EngineOptions } from '../../support/engine';
import type { Sandbox } from '../../support/sandbox';
import type { Given, Workplace } from './workplace';

/** n8n appends "Tool" to the type of a node that is used as one. */
const TOOL_TYPE = 'n8n-nodes-application-data-service.applicationDataServiceTool';
const AGENT = 'AI Agent';

/**
 * How an agent calls its tools: `engine` as the AI Agent node does from version 3 on, where n8n runs the tool like any
 * node; `direct` as older versions and agents within agents do, where the agent calls it.
 */
export type Way = 'engine' | 'direct';

export const WAYS: readonly Way[] = ['engine', 'direct'];

/** What a language model asks for: the arguments by the keys of `$fromAI`. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool as n8n hands it to an agent. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly shape: Readonly<Record<string, unknown>> };
  invoke(args: Arguments): Promise<string>;
}

export interface AgentRun {
  /** What the model reads of each call: JSON, or the sentence of an error. */
  readonly told: readonly unknown[];
  readonly tool: Pick<Tool, 'name' | 'description' | 'schema'>;
}

export interface AgentOptions extends EngineOptions {
  /** Name of the tool's node. */
  readonly name?: string;
}

/** The node as a tool: what n8n makes of it at start (n8n's `tool-generation/ai-tools`). */
function asTool(node: ApplicationDataService): INodeType {
  const { description } = node;
  return {
    description: {
      ...description,
      name: `${description.name}Tool`,
      inputs: [],
      outputs: [NodeConnectionTypes.AiTool],
    },
    methods: node.methods,

    execute: node.execute,
  };
}

/** Runs an agent whose model makes these calls of one tool, each once the one before is answered. */
export async function runAgent(
  sandbox: Pick<Sandbox, 'baseUrl' | 'accessKey'>,
  way: Way,
  parameters: INodeParameters,
  calls: readonly Arguments[],
  { name = 'Goods', ...options }: AgentOptions = {},
): Promise<AgentRun> {
  const script = new Script(way, name, calls);
  const engine = new Engine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { 'test.agent': script.node(), [TOOL_TYPE]: asTool(new ApplicationDataService()) },
  );
  const place = { typeVersion: 1, position: [0, 0] as [number, number] };
  const nodes: INode[] = [
    { id: '2', name: AGENT, type: 'test.agent', parameters: {}, ...place },
    { id: '3', name, type: TOOL_TYPE, parameters, credentials: CREDENTIAL, ...place, ...options.node },
  ];
  const chat: INodeExecutionData[] = [
    { json: { sessionId: 'abc', action: 'sendMessage', chatInput: 'Please do it' } },
  ];
  const { error } = await engine.runNodes(
    nodes,
    {
      Start: { main: [[{ node: AGENT, type: 'main', index: 0 }]] },
      [name]: { ai_tool: [[{ node: AGENT, type: 'ai_tool', index: 0 }]] },
    },
    AGENT,
    { input: chat, ...options },
  );
  if (error !== undefined) throw error;
  return script.result();
}

/** An agent that calls one operation of a workplace after another, as the AI Agent node does. @returns what it was told. */
export function agentOf(
  place: Workplace,
): (operation: string, given: Given, ...says: readonly Arguments[]) => Promise<readonly unknown[]> {
  return async (operation, given, ...says) =>
    (await runAgent(place.sandbox, 'engine', place.parameters(operation, given), says)).told;
}

/** A language model that says what a test wants it to say. */
class Script {
  private readonly told: unknown[] = [];
  private tool: Tool | undefined;

  constructor(
    private readonly way: Way,
    private readonly toolNode: string,
    private readonly calls: readonly Arguments[],
  ) {}

  node(): INodeType {
    const act = async (context: IExecuteFunctions, response?: EngineResponse) =>
      await (this.way === 'engine' ? this.throughEngine(context, response) : this.directly(context));
    return {
      description: {
        displayName: 'Agent',
        name: 'agent',
        group: ['transform'],
        version: 1,
        description: 'Calls its tool',
        defaults: { name: 'Agent' },
        inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool, displayName: 'Tool' }],
        outputs: [NodeConnectionTypes.Main],
        properties: [],
      },
      async execute(response) {
        return await act(this, response);
      },
    };
  }

  result(): AgentRun {
    if (this.tool === undefined) throw new Error('The agent was given no tool');
    return { told: this.told, tool: this.tool };
  }

  private async throughEngine(
    context: IExecuteFunctions,
    response: EngineResponse | undefined,
  ): Promise<EngineRequest | INodeExecutionData[][]> {
    this.tool ??= await toolOf(context);
    for (const { data } of response?.actionResponses ?? []) {
      // As n8n's agent reads it: nothing at all is an empty text.
      const items = (data.data?.ai_tool?.[0] ?? []).map(({ json }) => json);
      this.told.push(items.length === 0 ? '' : items);
    }
    const call = this.calls[this.told.length];
    if (call === undefined) return [[{ json: {} }]];
    const action: EngineRequest['actions'][number] = {
      actionType: 'ExecutionNodeAction',
      nodeName: this.toolNode,
      input: { ...call } as IDataObject,
      type: NodeConnectionTypes.AiTool,
      id: `call_${this.told.length}`,
      metadata: { itemIndex: 0 },
    };
    return { actions: [action], metadata: {} };
  }

  private async directly(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    this.tool = await toolOf(context);
    for (const call of this.calls) {
      try {
        this.told.push(JSON.parse(await this.tool.invoke(call)));
      } catch (error) {
        this.told.push([{ error: (error as Error).message }]);
      }
    }
    return [[{ json: {} }]];
  }
}

async function toolOf(context: IExecuteFunctions): Promise<Tool> {
  const [tool] = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
  if (tool === undefined) throw new Error('The agent has no tool');
  return tool;
}

/** A parameter that the model fills in, as the editor writes it. */
export function fromModel(key: string, description: string, type = 'string'): string {
  return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}
