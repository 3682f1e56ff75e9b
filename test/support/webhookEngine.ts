import { HookContext, WebhookContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  IDataObject,
  INode,
  INodeExecutionData,
  INodeParameters,
  IWebhookData,
  IWorkflowExecuteAdditionalData,
  Workflow,
  WorkflowActivateMode,
} from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';
import type { connect } from '../../nodes/ApplicationDataService/service/http/connect';
import { receive } from '../../nodes/ApplicationDataService/webhook/receive';
import { TestCredentials } from './credentialsHelper';
import { prepareBinaryData, workflowOf } from './oneNode';
import type { ReceivedNotification, Receiver } from './receiver';

const JSON_TYPE = { 'content-type': 'application/json' };

/** The result of one request. */
export interface WebhookResult {
  readonly status: number;
  readonly answer: unknown;
  /** Items of the run; `null` if none was started. */
  readonly items: INodeExecutionData[] | null;
}

export interface WebhookOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly mode?: 'webhook' | 'manual';
  /** Called when the answer is sent, before the node does anything else. */
  readonly answered?: (status: number, answer: unknown) => void;
  /** Creates the client in place of the node. */
  readonly connect?: typeof connect;
}

/** Runs the real webhook trigger in n8n's webhook context. */
export class WebhookEngine {
  /** Everything that the node logged. */
  readonly logged: string[] = [];
  private readonly node = new ApplicationDataServiceWebhookTrigger();

  constructor(
    public credential: ICredentialDataDecryptedObject,
    public parameters: INodeParameters = {},
  ) {}

  /** One request with a parsed body. */
  async receive(body: unknown, options: WebhookOptions = {}): Promise<WebhookResult> {
    const { headers = JSON_TYPE, mode = 'webhook', answered } = options;
    const replies: { status: number; answer: unknown }[] = [];
    const httpResponse = {
      code: 0,
      status(code: number) {
        this.code = code;
        return this;
      },
      json(answer: unknown) {
        replies.push({ status: this.code, answer });
        answered?.(this.code, answer);
      },
    };
    const context = this.context(mode, {
      httpRequest: { body, headers, params: {}, query: {} },
      httpResponse,
    });
    const result = await (options.connect === undefined
      ? this.node.webhook.call(context)
      : receive(context, options.connect));
    if (result.noWebhookResponse !== true || replies.length !== 1) throw new Error('Not answered once');
    return { ...replies[0]!, items: result.workflowData?.[0] ?? null };
  }

  /** Passes the requests of a receiver to the node, as n8n's server does. @returns the results, in order of arrival. */
  listen(receiver: Receiver): Promise<WebhookResult>[] {
    const results: Promise<WebhookResult>[] = [];
    receiver.answer = ({ body, headers }: ReceivedNotification, response: ServerResponse) => {
      const answered = (status: number, answer: unknown): void =>
        void response.writeHead(status, JSON_TYPE).end(JSON.stringify(answer));
      results.push(this.receive(body, { headers: headers as Record<string, string>, answered }));
    };
    return results;
  }

  /**
   * Runs the node's setup, as n8n does when a workflow is published, when n8n starts, or when it listens for a test
   * event.
   */
  async register(activation: WorkflowActivateMode): Promise<boolean> {
    const { workflow, node } = this.workflow();
    const mode = activation === 'manual' ? 'manual' : 'trigger';
    const context = new HookContext(workflow, node, this.additional({}), mode, activation);
    return await this.node.webhookMethods.default.create.call(this.logging(context));
  }

  private context(mode: 'webhook' | 'manual', more: object): WebhookContext {
    const { workflow, node } = this.workflow();
    const webhook = { webhookDescription: this.node.description.webhooks![0] } as unknown as IWebhookData;
    const context = new WebhookContext(workflow, node, this.additional(more), mode, webhook, [], null);
    Object.assign(context.helpers, { prepareBinaryData });
    return this.logging(context);
  }

  private additional(more: object): IWorkflowExecuteAdditionalData {
    const credentialsHelper = new TestCredentials(this.credential);
    return { credentialsHelper, ...more } as unknown as IWorkflowExecuteAdditionalData;
  }

  private logging<C extends HookContext | WebhookContext>(context: C): C {
    const log = (message: string, data: unknown): void =>
      void this.logged.push(`${message} ${JSON.stringify(data)}`);
    return Object.create(context, { logger: { value: { ...context.logger, warn: log, error: log } } }) as C;
  }

  private workflow(): { workflow: Workflow; node: INode } {
    const workflow = workflowOf(this.node, this.parameters);
    return { workflow, node: workflow.nodes.Trigger! };
  }
}

/** The json of the items of a run. */
export function jsonOf({ items }: WebhookResult): IDataObject[] {
  return (items ?? []).map(({ json }) => json);
}
