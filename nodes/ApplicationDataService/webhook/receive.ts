import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { settle } from '../util/concurrently';
import { connect } from '../service/http/connect';
import { CREDENTIAL_NAME } from '../service/http/credentials';
import { keepSecret } from '../service/http/secrets';
import { isObject } from '../parts/values/shapes';
import { readText } from '../parts/values/wire';
import { readNotification, type Notification } from './notification';
import { itemsOf, type Connect } from './notifiedItem';
import { isToken, readToken } from './token';

/** The answer that is sent before the workflow starts. */
interface Reply {
  readonly status: number;
  readonly message: string;
}

/** The answer is sent by the node; nothing starts. */
const NO_RUN: IWebhookResponseData = { noWebhookResponse: true };

/**
 * One notification: checked, answered, and only then read. The call that notifies may hold the one queue of the service
 * until it is answered, so calling the service first could wait for itself. n8n would answer again if something is
 * thrown after the answer, so from then on every failure becomes an item.
 * @param connectTo makes the client; tests have one with a clock of their own.
 */
export async function receive(
  context: IWebhookFunctions,
  connectTo: Connect = connect,
): Promise<IWebhookResponseData> {
  const { reply, notification } = await judge(context);
  answer(context, reply);
  if (notification === null) return NO_RUN;
  const items = await itemsOf(context, notification, connectTo);
  return items.length === 0 ? NO_RUN : { ...NO_RUN, workflowData: [items] };
}

/** The parts of Express's response that are needed. Its types do not come with n8n-workflow. */
interface Response {
  status(code: number): { json(body: unknown): void };
}

function answer(context: IWebhookFunctions, { status, message }: Reply): void {
  const response = context.getResponseObject() as unknown as Response;
  response.status(status).json({ message });
}

/** What to answer, and what is to be read afterwards. */
async function judge(
  context: IWebhookFunctions,
): Promise<{ reply: Reply; notification: Notification | null }> {
  const refuse = (status: number, message: string): { reply: Reply; notification: null } => ({
    reply: { status, message },
    notification: null,
  });
  const credential = await settle(async () => await context.getCredentials(CREDENTIAL_NAME));
  if ('error' in credential) {
    log(context, `A notification could not be checked: ${(credential.error as Error).message}`);
    return refuse(500, 'The credential of the webhook trigger cannot be read');
  }
  // The service may repeat them in the address of the record.
  keepSecret(readText(credential.value.accessKey).trim());
  keepSecret(readToken(credential.value));
  const body: unknown = context.getBodyData();
  if (!isObject(body) || !isToken(body.access_token, readToken(credential.value))) {
    return refuse(403, 'The access token is missing or wrong');
  }
  const notification = isJson(context) ? readNotification(body) : null;
  if (notification === null) {
    return refuse(
      400,
      'This is no notification of an Application Data Service: JSON with app_id, data_id and type',
    );
  }
  return { reply: { status: 200, message: 'ok' }, notification };
}

function isJson(context: IWebhookFunctions): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(context.getHeaderData()['content-type'] ?? '');
}

/** Never contains what a stranger has sent. */
function log(context: IWebhookFunctions, message: string): void {
  context.logger.warn(message, { node: context.getNode().name, workflowId: context.getWorkflow().id });
}
