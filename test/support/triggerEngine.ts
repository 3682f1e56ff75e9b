import { PollContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  IHttpRequestOptions,
  IDataObject,
  INodeExecutionData,
  INodeParameters,
  IWorkflowExecuteAdditionalData,
  Workflow,
  WorkflowActivateMode,
} from 'n8n-workflow';

import { runPoll } from '../../nodes/ApplicationDataService/trigger/node/runPoll';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { TestCredentials } from './credentialsHelper';
import type { FakePollClock } from './fakePollClock';
import { prepareBinaryData, workflowOf } from './oneNode';
import { streamedBody } from './streamedBody';

let workflows = 0;

export interface TriggerOptions {
  /** Milliseconds that n8n allows for a poll; n8n's default if left out. */
  readonly budgetMs?: number;
  readonly timezone?: string;
  /** Clock of the polls; the machine's if left out. */
  readonly clock?: FakePollClock;
  /**
   * Runs polls as n8n's durable engine does: it saves the state when a poll returns, also without items, and drops it
   * when the poll throws.
   */
  readonly isDurable?: boolean;
}

/** A request to the service: its action and its parameters. */
export interface SentCall {
  readonly action: string;
  readonly form: URLSearchParams;
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined;
}

/** What a test puts between the node and the service. */
export interface Between {
  /** Milliseconds that the service takes for a call. */
  cost?(call: SentCall): number;
  /** What n8n does before it hands out the credential. */
  credentials?(): Promise<void>;
  /** An answer in place of the service's. */
  answer?(call: SentCall): { readonly statusCode: number; readonly body: unknown } | undefined;
}

/**
 * Runs the real trigger node in n8n's poll context. As in n8n, the node's state is saved when a poll returns items, and
 * once after activation. A restart begins with the saved state.
 */
export class TriggerEngine {
  /** Warnings that the node logged. */
  readonly warnings: string[] = [];
  /** The calls that the node sent. */
  readonly calls: SentCall[] = [];
  /** n8n's ID of the credential, from the next start on. */
  credentialId = '1';
  between: Between = {};
  private readonly node = new ApplicationDataServiceTrigger();
  private id = `trigger-${++workflows}`;
  private name = 'Trigger';
  private saved: IDataObject = {};
  private workflow: Workflow | undefined;
  private context: PollContext | undefined;

  constructor(
    public credential: ICredentialDataDecryptedObject,
    public parameters: INodeParameters,
    private readonly options: TriggerOptions = {},
  ) {}

  /** Activates the workflow, as a person, n8n's start or a new leader does. This polls at once. */
  async activate(mode: WorkflowActivateMode = 'activate'): Promise<IDataObject[]> {
    return (await this.activateItems(mode)).map(({ json }) => json);
  }

  /** As {@link activate}, but returns the items. */
  async activateItems(mode: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[]> {
    this.workflow = this.newWorkflow();
    this.context = this.newContext(this.workflow, 'trigger', mode);
    const items = await this.pollItems();
    this.save();
    return items;
  }

  /** Polls once. @returns the json of the items. */
  async poll(): Promise<IDataObject[]> {
    return (await this.pollItems()).map(({ json }) => json);
  }

  /** Polls once. @returns the items. */
  async pollItems(): Promise<INodeExecutionData[]> {
    if (this.context === undefined) throw new Error('The workflow is not active');
    const { isDurable = false } = this.options;
    if (isDurable) this.begin();
    const output = await this.run(this.context);
    if (output === null && !isDurable) return [];
    this.save();
    return output?.[0] ?? [];
  }

  /** Creates a new context with the saved state for each poll, as the durable engine does. */
  private begin(): void {
    this.workflow = this.newWorkflow();
    this.context = this.newContext(this.workflow, 'trigger', 'init');
  }

  private async run(context: PollContext): Promise<INodeExecutionData[][] | null> {
    const { clock } = this.options;
    if (clock === undefined) return await this.node.poll.call(context);
    return await clock.run(async () => await runPoll(context, clock));
  }

  /** Ends the process and starts another one with the saved state. */
  async restart(): Promise<IDataObject[]> {
    return await this.activate('init');
  }

  /** The same trigger in another process, which starts with the state that this one has saved. */
  successor(): TriggerEngine {
    const successor = new TriggerEngine(this.credential, this.parameters, this.options);
    successor.saved = structuredClone(this.saved);
    return successor;
  }

  /** Another node of the same workflow, copied with its ID. */
  twin(): TriggerEngine {
    return Object.assign(this.successor(), { id: this.id, name: `${this.name}1` });
  }

  /** Runs the trigger as a click on Fetch Test Event does. */
  async manual(): Promise<IDataObject[]> {
    const context = this.newContext(this.newWorkflow(), 'manual', 'manual');
    return (await this.run(context))?.[0]?.map(({ json }) => json) ?? [];
  }

  /** The node's state in memory. */
  get state(): string | undefined {
    return this.workflow?.getStaticData('node', this.workflow.nodes[this.name]).state as string | undefined;
  }

  /** Replaces the saved state. */
  replaceState(state: unknown): void {
    this.saved = { [`node:${this.name}`]: { state } };
  }

  private save(): void {
    const data = this.workflow!.staticData as IDataObject & { __dataChanged: boolean };
    if (!data.__dataChanged) return;
    this.saved = JSON.parse(JSON.stringify(data)) as IDataObject;
    data.__dataChanged = false;
  }

  private newWorkflow(): Workflow {
    const workflow = workflowOf(
      this.node,
      this.parameters,
      {
        id: this.id,
        settings: { timezone: this.options.timezone ?? 'Asia/Tokyo' },
        staticData: structuredClone(this.saved),
      },
      this.name,
    );
    workflow.nodes[this.name]!.credentials!.applicationDataServiceApi!.id = this.credentialId;
    return workflow;
  }

  private standBetween({ helpers }: PollContext): void {
    const { calls, options } = this;
    const { clock } = options;
    const between = (): Between => this.between;
    const send = helpers.httpRequestWithAuthentication;
    helpers.httpRequestWithAuthentication = async function (this: never, type, request, more) {
      const call = sentCall(request);
      calls.push(call);
      const cost = between().cost?.(call) ?? 0;
      if (clock !== undefined && cost > 0) await clock.sleep(cost, call.signal);
      const answer = between().answer?.(call);
      const isStreamed = request.encoding === 'stream';
      if (answer !== undefined)
        return { headers: {}, ...answer, body: isStreamed ? streamedBody(answer.body) : answer.body };
      const sent = async (): Promise<unknown> => (await send.call(this, type, request, more)) as unknown;
      return clock === undefined ? await sent() : await clock.during(sent);
    };
  }

  private newContext(
    workflow: Workflow,
    mode: 'trigger' | 'manual',
    activation: WorkflowActivateMode,
  ): PollContext {
    const { isDurable = false, budgetMs = isDurable ? 36_000 : undefined } = this.options;
    // n8n reads the credential again in each poll.
    const additional = Object.defineProperty({}, 'credentialsHelper', {
      enumerable: true,
      get: () => new TestCredentials(this.credential),
    }) as IWorkflowExecuteAdditionalData;
    const [node, none] = [workflow.nodes[this.name]!, undefined];
    const budget = budgetMs === undefined ? undefined : () => budgetMs;
    const more = [none, none, none, none, none, budget] as const;
    const context = new PollContext(workflow, node, additional, mode, activation, ...more);
    Object.assign(context.helpers, { prepareBinaryData });
    this.standBetween(context);
    const warn = (message: string): void => void this.warnings.push(message);
    const getCredentials = async (type: string): Promise<ICredentialDataDecryptedObject> => {
      await this.between.credentials?.();
      return await context.getCredentials(type);
    };
    return Object.create(context, {
      logger: { value: { ...context.logger, warn } },
      getCredentials: { value: getCredentials },
    }) as PollContext;
  }
}

/** Reads the action and the parameters of a request. */
function sentCall({ url, body, abortSignal }: IHttpRequestOptions): SentCall {
  const form = body instanceof URLSearchParams ? body : new URL(url).searchParams;
  return { action: form.get('action') ?? '', form, signal: abortSignal as AbortSignal | undefined };
}
