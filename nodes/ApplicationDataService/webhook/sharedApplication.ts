import type { IWebhookFunctions } from 'n8n-workflow';

import { fetchApplication, type Application } from '../service/application/definition';
import type { ServiceClient } from '../service/http/client';
import { isCancelled } from '../service/http/errors';
import { unless } from '../util/concurrently';

/** Definitions that are being read, by node and application. */
const underWay = new Map<string, Promise<Application>>();

/**
 * The application of a notification. Notifications come in bursts: those that need the same definition of the same node
 * at the same time read it once. It is not kept, because the next one may be about a record with different parts.
 */
export async function sharedApplication(
  context: IWebhookFunctions,
  client: ServiceClient,
  reference: string,
): Promise<Application> {
  const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, client.address, reference]);
  const shared = underWay.get(key);
  if (shared !== undefined) {
    // Null if the caller that made the request had less time left.
    const application = await unless<Application>(isCancelled, async () => await shared);
    if (application !== null) return application;
  }
  const own = fetchApplication(client, reference);
  underWay.set(key, own);
  try {
    return await own;
  } finally {
    if (underWay.get(key) === own) underWay.delete(key);
  }
}
