import type { INodeParameters } from 'n8n-workflow';

import { ServiceClient, type ClientOptions } from '../../../nodes/ApplicationDataService/service/http/client';
import { connect } from '../../../nodes/ApplicationDataService/service/http/connect';
import { Receiver } from '../../support/receiver';
import { Sandbox } from '../../support/sandbox';
import { TICKETS } from '../../support/triggerTickets';
import { WebhookEngine, type WebhookResult } from '../../support/webhookEngine';

/** The token that the webhook triggers of tests expect. */
export const WEBHOOK_TOKEN = 'A-long-text-of-ones-own-0815';

/** A sandbox with tickets, a receiver that it can notify, and webhook triggers that know its token. */
export class WebhookPlace {
  app = '';
  sandbox!: Sandbox;
  receiver!: Receiver;

  async start(): Promise<void> {
    this.sandbox = await Sandbox.borrow();
    this.receiver = await Receiver.start();
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.sandbox.stop();
  }

  async open(): Promise<void> {
    await this.sandbox.reset();
    this.app = (await this.sandbox.createApplication(TICKETS)).id;
    this.receiver.received.length = 0;
  }

  engine(parameters: INodeParameters = {}, credential = {}): WebhookEngine {
    const { baseUrl, accessKey } = this.sandbox;
    return new WebhookEngine({ baseUrl, accessKey, webhookToken: WEBHOOK_TOKEN, ...credential }, parameters);
  }

  /** Has the service notify a node. @returns the result of each notification. */
  async notifying(node: WebhookEngine): Promise<Promise<WebhookResult>[]> {
    const notification = { address: this.receiver.address, token: WEBHOOK_TOKEN };
    await this.sandbox.changeApplication(this.app, { notification });
    return node.listen(this.receiver);
  }

  /** The body that the service sends for the first ticket. */
  body(more: object = {}): object {
    const about = { app_id: this.app, data_id: '1', type: 'updated', data: {} };
    return { ...about, access_token: WEBHOOK_TOKEN, url: 'http://inner.example/record', ...more };
  }

  /** Somebody changes the first ticket in the service, which notifies of it. */
  async update(values: Readonly<Record<string, string>>): Promise<void> {
    const fields = Object.entries({ revision: '0', ...values }).map(([key, value]) => [`{{${key}}}`, value]);
    const form = Object.fromEntries(fields) as Record<string, string>;
    await this.sandbox.call('update_data', { app_id: this.app, data_id: '1', ...form });
  }
}

/** The place of a test file: started before its tests, opened before each, stopped after all. */
export function useWebhookPlace(): WebhookPlace {
  const place = new WebhookPlace();
  beforeAll(async () => await place.start());
  beforeEach(async () => await place.open());
  afterAll(async () => await place.stop());
  return place;
}

/** Makes a client that does not wait. @param waited is told how long it would have waited so far. */
export function withoutWaiting(waited: (total: number) => unknown = () => undefined): typeof connect {
  let total = 0;
  return async (...args) => {
    const { options } = (await connect(...args)) as unknown as { options: ClientOptions };
    const sleep = async (ms: number): Promise<void> => void (await waited((total += ms)));
    return new ServiceClient({ ...options, retries: { ...options.retries, sleep } });
  };
}
