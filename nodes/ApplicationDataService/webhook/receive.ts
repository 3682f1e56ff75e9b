import type {
  IDataObject,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
  IHookFunctions,
} from 'n8n-workflow';

import { simplify } from '../common/options';
import {
  type PresentOptions,
  changeFiles,
  changePresenter,
  type ChangeSummary,
  type ChangeView,
  keepBinary,
} from '../common/presentation';
import { readApplicationReference } from '../common/properties';
import { readSetting, readSettings, type Values } from '../common/setting';
import { simplifyRecord } from '../parts/record';
import { isObject, readText } from '../parts/values/shapes';
import { type Application, fetchApplication } from '../service/application/definition';
import { ApplicationSession } from '../service/application/session';
import type { ServiceClient } from '../service/http/client';
import { connect, within } from '../service/http/connect';
import { CREDENTIAL_NAME } from '../service/http/credentials';
import { isCancelled, ServiceError } from '../service/http/errors';
import { keepSecret, mask } from '../service/http/secrets';
import { downloadAttachment } from '../service/read/attachments';
import type { RawRecord } from '../service/read/recordList';
import { learnFrom, readRecord } from '../service/read/records';
import { nullIf, settle } from '../util/concurrently';
import { messageOf, UserError } from '../util/userError';
import { webhookOptions } from './webhookProperties';
import { toNodeError } from '../common/errors';

/** What a notification is answered, and what it says; `null` where nothing starts. */
interface Judgement {
  readonly status: number;
  readonly message: string;
  readonly notification: Notification | null;
}

/** The part of Express's response that is needed. Its types do not come with n8n-workflow. */
interface Response {
  status(code: number): { json(body: unknown): void };
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
  const { status, message, notification } = await judge(context);
  const response = context.getResponseObject() as unknown as Response;
  response.status(status).json({ message });
  if (notification === null) return NO_RUN;
  const items = await itemsOf(context, notification, connectTo);
  return items.length === 0 ? NO_RUN : { ...NO_RUN, workflowData: [items] };
}

async function judge(context: IWebhookFunctions): Promise<Judgement> {
  const refuse = (status: number, message: string) => ({ status, message, notification: null });
  const credential = await settle(async () => await context.getCredentials(CREDENTIAL_NAME));
  if ('error' in credential) {
    log(context, `A notification could not be checked: ${(credential.error as Error).message}`);
    return refuse(500, 'The credential of the webhook trigger cannot be read');
  }
  const body: unknown = context.getBodyData();
  if (!isObject(body) || !isToken(body.access_token, readToken(credential.value))) {
    return refuse(403, 'The access token is missing or wrong');
  }
  keepSecret(readToken(credential.value));
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(context.getHeaderData()['content-type'] ?? '');
  const notification = isJson ? readNotification(body) : null;
  if (notification !== null) return { status: 200, message: 'ok', notification };
  return refuse(
    400,
    'This is no notification of an Application Data Service: JSON with app_id, data_id and type',
  );
}

/** @param message without anything that a stranger has sent. */
function log(context: IWebhookFunctions | IHookFunctions, message: string): void {
  context.logger.warn(mask(message), { node: context.getNode().name, workflowId: context.getWorkflow().id });
}

export type Connect = typeof connect;

const READING_MS = 120_000;

/**
 * The item of a notification that was answered; none if it is unwanted. Never throws: what cannot be read becomes an
 * item with `readError` (parameters.md, "Webhook trigger").
 */
async function itemsOf(
  context: IWebhookFunctions,
  notification: Notification,
  connectTo: Connect,
): Promise<INodeExecutionData[]> {
  const { event, recordId, applicationId, url } = notification;
  if (event === null) return [];
  // The ID, also where the service names the application by its identifier; null until that is resolved.
  const summary = {
    event,
    id: recordId,
    applicationId: isIdentifier(applicationId) ? null : applicationId,
    url,
  };
  const made = await settle(async () => await itemOf(context, notification, summary, connectTo));
  if ('error' in made) return [{ json: withError(context, summary, made.error) }];
  return made.value === null ? [] : [made.value];
}

async function itemOf(
  context: IWebhookFunctions,
  { event, recordId, applicationId }: Notification,
  summary: ChangeSummary & { applicationId: string | null },
  connectTo: Connect,
): Promise<INodeExecutionData | null> {
  const events: unknown = context.getNodeParameter('events', ['created', 'updated']);
  if (!Array.isArray(events) || !events.includes(event)) return null;
  const wanted = readApplicationReference(context.getNodeParameter('application', ''));
  // One of them an identifier, the other an ID: whether they mean the same application is known when it was read.
  const isKnown = isIdentifier(wanted) === isIdentifier(applicationId);
  if (wanted !== '' && isKnown && wanted !== applicationId) return null;
  const options = {
    ...readSettings(webhookOptions, context.getNodeParameter('options', {})),
    simplify: readSetting(simplify, context.getNodeParameter('simplify', true)),
  };

  const signal = AbortSignal.timeout(READING_MS);
  const read = async (): Promise<INodeExecutionData | null> => {
    // One turn for each node: hundreds of notifications at once must not hold up executions and polls.
    const turn = `webhook ${context.getWorkflow().id} ${context.getNode().id}`;
    const client = await connectTo(context, { turn, urgent: false }, signal);
    const reference = isIdentifier(wanted) ? wanted : applicationId;
    const application = await sharedApplication(context, client, reference);
    if (wanted !== '' && !isKnown && application.id !== (reference === wanted ? applicationId : wanted))
      return null;
    summary.applicationId = application.id === '' ? summary.applicationId : application.id;
    const app = new ApplicationSession(client, reference, application);
    const record = await readRecord(app, recordId, options.loadReferenceLists);
    return await present(context, app, record, summary, options);
  };
  return await within(signal, read, tooLate);
}

function isIdentifier(application: string): boolean {
  return application.startsWith('@');
}

/** The record as the polling trigger outputs it. Files that cannot be downloaded do not affect the rest. */
async function present(
  context: IWebhookFunctions,
  app: ApplicationSession,
  record: RawRecord,
  summary: ChangeSummary,
  options: Values<typeof webhookOptions> & PresentOptions,
): Promise<INodeExecutionData> {
  const keyMode = learnFrom(app, record);
  const view: ChangeView = { app, keyMode, options };
  const { id, event, ...rest } = summary;
  const { revision } = simplifyRecord(record, app.application.parts, { keyMode });
  const json = changePresenter(view)({ event, id, revision, ...rest }, record);
  if (!options.downloadAttachments) return { json };
  const { binary, failures } = await changeFiles(
    view,
    { id, json, record },
    async (file) => await downloadAttachment(app.client, id, file, keepBinary(context)),
  );
  const [failure] = failures;
  const told = failure === undefined ? json : withError(context, json, failure);
  return Object.keys(binary).length > 0 ? { json: told, binary } : { json: told };
}

function withError(context: IWebhookFunctions, json: IDataObject, error: unknown): IDataObject {
  const message = mask(messageOf(error));
  log(context, `A notified record could not be read: ${message}`);
  return { ...json, readError: message };
}

/**
 * What a notification says about a change (service-facts, "Notifications"). Its `data` is not used, because it ignores
 * rights.
 */
interface Notification {
  readonly applicationId: string;
  readonly recordId: string;
  readonly event: string | null;
  /** The record's screen; `null` if none is named that a browser could open. */
  readonly url: string | null;
}

/** Events that can start the workflow, by their types. Saved in workflows: never change. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['added', 'created'],
  ['updated', 'updated'],
]);

/** An id is a short text without spaces or commas. */
const ID = /^[^\s,]{1,64}$/;

function readNotification(body: Readonly<Record<string, unknown>>): Notification | null {
  const applicationId = readText(body.app_id).trim();
  const recordId = readText(body.data_id).trim();
  const type = readText(body.type).trim();
  if (!ID.test(applicationId) || !ID.test(recordId) || type === '') return null;
  const event = EVENTS.get(type) ?? null;
  const url = readText(body.external_url).trim() || readText(body.url).trim();
  return { applicationId, recordId, event, url: /^https?:\/\/[^\s]+$/i.test(url) ? url : null };
}

/** Definitions that are being read, by node and application. */
const underWay = new Map<string, Promise<Application>>();

/**
 * The application of a notification. Notifications come in bursts: those that need the same definition of the same node
 * at the same time read it once. It is not kept, because the next one may be about a record with different parts.
 */
async function sharedApplication(
  context: IWebhookFunctions,
  client: ServiceClient,
  reference: string,
): Promise<Application> {
  const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, client.address, reference]);
  const shared = underWay.get(key);
  if (shared !== undefined) {
    // Null if the caller that made the request had less time left.
    const application = await nullIf(isCancelled, shared);
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

function tooLate(): ServiceError {
  return new ServiceError(
    'lost',
    'The service did not return the record within two minutes',
    'Read the record with Get, or let the polling trigger find the change. If this happens again, ask the administrator why the service is slow.',
  );
}

/** n8n starts or takes over: nobody reads an error then, and it would also stop the workflow's other triggers. */
const UNATTENDED: readonly string[] = ['init', 'leadershipChange'];

/**
 * Publishing or listening is refused without a token, because then anyone could pose as the service.
 * @throws NodeOperationError
 */
export async function register(context: IHookFunctions): Promise<boolean> {
  const read = await settle(async () => readToken(await context.getCredentials(CREDENTIAL_NAME)));
  if ('value' in read && read.value !== '') return true;
  const missing = new UserError(
    'The credential has no Webhook Token: enter a long random text there',
    'Create a long random text, and enter it as Webhook Token in the credential and as the access token of the automatic processing that calls this address. Without it, anyone could start the workflow.',
  );
  const error = toNodeError(context.getNode(), 'error' in read ? read.error : missing);
  if (!UNATTENDED.includes(context.getActivationMode())) throw error;
  log(context, `The webhook trigger refuses every notification: ${error.message}`);
  return true;
}

/** The webhook token of a credential; empty if it has none. */
export function readToken(credential: Readonly<Record<string, unknown>>): string {
  return readText(credential.webhookToken).trim();
}

/**
 * Whether a notification carries the token. The time this takes depends on the length of what was sent alone, never on
 * how much of it is right. An empty token matches nothing.
 */
export function isToken(given: unknown, token: string): boolean {
  if (token === '') return false;
  const text = readText(given).trim();
  let difference = text.length ^ token.length;
  for (let index = 0; index < text.length; index++) {
    difference |= text.charCodeAt(index) ^ token.charCodeAt(index % token.length);
  }
  return difference === 0;
}
