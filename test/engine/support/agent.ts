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
import { CREDENTIAL, Engine, nodeThat, type EngineOptions } from '../../support/engine';
import type { ApplicationDefinition, Fault, Sandbox } from '../../support/sandbox';
import { eachOf } from './each';
import type { RunSettings, Workplace } from './workplace';

/** n8n appends "Tool" to the type of a node that is used as one. */
const TOOL_TYPE = 'n8n-nodes-application-data-service.applicationDataServiceTool';
const AGENT = 'AI Agent';
const TOOL = 'Goods';

/**
 * How an agent calls its tools. `engine`: n8n runs the tool like any node, for the AI Agent node from version 3 on.
 * `direct`: the agent calls the tool, in older versions and in agents within agents.
 */
export type Way = 'engine' | 'direct';

export const WAYS: readonly Way[] = ['engine', 'direct'];

/** The arguments of a language model, by the keys of `$fromAI`. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool as n8n passes it to an agent. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly shape: Readonly<Record<string, unknown>> };
  invoke(args: Arguments): Promise<string>;
}

export interface AgentRun {
  /** What the model reads for each call: JSON, or the sentence of an error. */
  readonly answers: readonly unknown[];
  readonly tool: Pick<Tool, 'name' | 'description' | 'schema'>;
}

export interface AgentOptions extends EngineOptions {
  /** All calls are made at once, as a model may that needs no answer for the next. */
  readonly atOnce?: boolean;
}

/** Turns the node into a tool, as n8n does at its start (n8n's `tool-generation/ai-tools`). */
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

/** Runs an agent whose model makes these calls of one tool, each after the answer to the one before. */
export async function runAgent(
  sandbox: Pick<Sandbox, 'baseUrl' | 'accessKey'>,
  way: Way,
  parameters: INodeParameters,
  calls: readonly Arguments[],
  { atOnce = false, ...options }: AgentOptions = {},
): Promise<AgentRun> {
  const script = new Script(way, calls, atOnce);
  const engine = new Engine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { 'test.agent': script.node(), [TOOL_TYPE]: asTool(new ApplicationDataService()) },
  );
  const place = { typeVersion: 1, position: [0, 0] as [number, number] };
  const nodes: INode[] = [
    { id: '2', name: AGENT, type: 'test.agent', parameters: {}, ...place },
    { id: '3', name: TOOL, type: TOOL_TYPE, parameters, credentials: CREDENTIAL, ...place, ...options.node },
  ];
  const chat: INodeExecutionData[] = [
    { json: { sessionId: 'abc', action: 'sendMessage', chatInput: 'Please do it' } },
  ];
  const { error } = await engine.runNodes(
    nodes,
    {
      Start: { main: [[{ node: AGENT, type: 'main', index: 0 }]] },
      [TOOL]: { ai_tool: [[{ node: AGENT, type: 'ai_tool', index: 0 }]] },
    },
    AGENT,
    { input: chat, ...options },
  );
  if (error !== undefined) throw error;
  return script.result();
}

/** What a model asks of a tool, one call after the other, and what it reads. */
export interface AgentRow extends AgentOptions {
  /** How the tool is called, if it matters. */
  readonly ways?: readonly Way[];
  readonly application?: Partial<ApplicationDefinition>;
  readonly before?: (place: Workplace) => unknown;
  readonly faults?: readonly Fault[];
  /** Saved parameters, besides those of the table. */
  readonly run?: RunSettings;
  readonly says: readonly Arguments[];
  readonly answers?: readonly unknown[];
  /** The stored records: what is named of their values. */
  readonly stored?: readonly object[];
  /** How often an action was called. */
  readonly sent?: Readonly<Record<string, number>>;
  readonly after?: (place: Workplace) => unknown;
}

/** Agents' calls by names, which say what each shows. */
export type AgentRows = Readonly<Record<string, AgentRow>>;
export const each = eachOf<AgentRow>();

/** Lets an agent call a tool once for each row and way, and compares. */
export function testAgent(
  place: Workplace,
  base: RunSettings,
  rows: AgentRows,
  common: Partial<AgentRow> = {},
): void {
  const cases = Object.entries(rows).flatMap(([name, named]) => {
    const row: AgentRow = { ...common, ...named };
    return (row.ways ?? ['engine']).map((way) => [name, way, row] as const);
  });
  test.each(cases)('%s, called by "%s"', async (_, way, row) => {
    await place.open(row.application);
    await row.before?.(place);
    if (row.faults !== undefined) await place.sandbox.setFaults(row.faults);
    const settings: RunSettings = { ...base, ...row.run };
    const saved = place.parameters(String(settings.operation), settings);
    const { answers } = await runAgent(place.sandbox, way, saved, row.says, row);
    if (row.answers !== undefined) expect(answers).toEqual(row.answers);
    if (row.stored !== undefined)
      expect((await place.stored()).map(({ values }) => values)).toMatchObject(row.stored);
    for (const [action, count] of Object.entries(row.sent ?? {}))
      expect([action, (await place.calls(action)).length]).toEqual([action, count]);
    await row.after?.(place);
  });
}

/** A language model whose answers a test decides. */
class Script {
  private readonly answers: unknown[] = [];
  private tool: Tool | undefined;

  constructor(
    private readonly way: Way,
    private readonly calls: readonly Arguments[],
    private readonly atOnce: boolean,
  ) {}

  node(): INodeType {
    const act = async (context: IExecuteFunctions, response?: EngineResponse) =>
      await (this.way === 'engine' ? this.throughEngine(context, response) : this.directly(context));
    return nodeThat(
      async function (response) {
        return await act(this, response);
      },
      { inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool, displayName: 'Tool' }] },
    );
  }

  result(): AgentRun {
    if (this.tool === undefined) throw new Error('The agent was given no tool');
    return { answers: this.answers, tool: this.tool };
  }

  private async throughEngine(
    context: IExecuteFunctions,
    response: EngineResponse | undefined,
  ): Promise<EngineRequest | INodeExecutionData[][]> {
    this.tool ??= await toolOf(context);
    for (const { data } of response?.actionResponses ?? []) {
      // As n8n's agent reads it: no items are an empty text.
      const items = (data.data?.ai_tool?.[0] ?? []).map(({ json }) => json);
      this.answers.push(items.length === 0 ? '' : items);
    }
    const open = this.calls.slice(this.answers.length);
    if (open.length === 0) return [[{ json: {} }]];
    const actions = (this.atOnce ? open : open.slice(0, 1)).map(
      (call, index): EngineRequest['actions'][number] => ({
        actionType: 'ExecutionNodeAction',
        nodeName: TOOL,
        input: { ...call } as IDataObject,
        type: NodeConnectionTypes.AiTool,
        id: `call_${this.answers.length + index}`,
        metadata: { itemIndex: 0 },
      }),
    );
    return { actions, metadata: {} };
  }

  private async directly(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const tool = (this.tool = await toolOf(context));
    const answerTo = async (call: Arguments): Promise<unknown> => {
      try {
        return JSON.parse(await tool.invoke(call));
      } catch (error) {
        return [{ error: (error as Error).message }];
      }
    };
    if (this.atOnce) this.answers.push(...(await Promise.all(this.calls.map(answerTo))));
    else for (const call of this.calls) this.answers.push(await answerTo(call));
    return [[{ json: {} }]];
  }
}

async function toolOf(context: IExecuteFunctions): Promise<Tool> {
  const [tool] = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
  if (tool === undefined) throw new Error('The agent has no tool');
  return tool;
}

/** A parameter that the model fills in, as the editor saves it. */
export function fromModel(key: string, description: string, type = 'string'): string {
  return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}
