import type {
  IBinaryData,
  IDataObject,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

import { simplify } from '../common/options';
import { changePresenter, type ChangeSummary, keepBinary } from '../common/presentation';
import { readEvents } from '../common/properties';
import { readSetting, readSettings } from '../common/setting';
import type { EventName } from '../parts/model/keys';
import { recordReader } from '../parts/record';
import { isObject, readText } from '../parts/values/shapes';
import { fetchApplication } from '../service/application/definition';
import { ApplicationSession } from '../service/application/session';
import { connect, within } from '../service/http/connect';
import { CREDENTIAL_NAME, keepSecret, mask } from '../service/http/credentials';
import { ServiceError } from '../service/http/errors';
import { type AttachedFile, downloadAttachment } from '../service/read/attachments';
import { learnFrom, readRecord } from '../service/read/records';
import { settle } from '../util/concurrently';
import { messageOf } from '../util/userError';
import { WEBHOOK_EVENTS, isToken, log, readToken, readWanted, webhookOptions } from './register';

/** The part of Express's response that is needed. Its types do not come with n8n-workflow. */
interface Response {
  status(code: number): { json(body: unknown): void };
}

/**
 * One notification: checked, answered, and only then read. The call that notifies may hold the one queue of the service
 * until it is answered, so calling the service first could wait for itself. n8n would answer again if something is
 * thrown after the answer, so from then on every failure becomes an item (parameters.md, "Webhook trigger").
 * @param connectTo makes the client; tests have one with a clock of their own.
 */
export async function receive(
  context: IWebhookFunctions,
  connectTo: typeof connect = connect,
): Promise<IWebhookResponseData> {
  const checked = await check(context);
  const [status, message] = 'event' in checked ? [200, 'ok'] : checked;
  (context.getResponseObject() as unknown as Response).status(status).json({ message });
  const noRun = { noWebhookResponse: true };
  if (!('event' in checked) || checked.event === null) return noRun;
  const { event, recordId: id, applicationId, url } = checked;
  // The ID, also where the service names the application by its identifier; null until that is resolved.
  const summary = { event, id, applicationId: isIdentifier(applicationId) ? null : applicationId, url };
  const made = await settle(async () => await itemOf(context, checked, summary, connectTo));
  const item = 'value' in made ? made.value : { json: withError(context, summary, made.error) };
  return item === null ? noRun : { ...noRun, workflowData: [[item]] };
}

/** The notification, or the status and the message with which it is refused. */
async function check(context: IWebhookFunctions): Promise<Notification | readonly [number, string]> {
  const credential = await settle(async () => await context.getCredentials(CREDENTIAL_NAME));
  if ('error' in credential) {
    log(context, `A notification could not be checked: ${messageOf(credential.error)}`);
    return [500, 'The credential of the webhook trigger cannot be read'];
  }
  const token = readToken(credential.value);
  const body: unknown = context.getBodyData();
  if (!isObject(body) || !isToken(body.access_token, token))
    return [403, 'The access token is missing or wrong'];
  keepSecret(token);
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(context.getHeaderData()['content-type'] ?? '');
  const notification = isJson ? readNotification(body) : null;
  const wrong =
    'This is not a notification of an Application Data Service: JSON with app_id, data_id and type';
  return notification ?? [400, wrong];
}

/**
 * What a notification says about a change (service-facts, "Notifications"). Its `data` is not used, because it ignores
 * rights.
 */
interface Notification {
  readonly applicationId: string;
  readonly recordId: string;
  /** `null` for one that starts nothing. */
  readonly event: EventName | null;
  /** The record's screen; `null` if none is named that a browser could open. */
  readonly url: string | null;
}

/** The events by their types. */
const EVENT_OF: ReadonlyMap<string, EventName> = new Map([
  ['added', 'created'],
  ['updated', 'updated'],
]);

/** An id is a short text without spaces or commas. */
const ID = /^[^\s,]{1,64}$/;

const MAX_URL = 2000;

function readNotification(body: Readonly<Record<string, unknown>>): Notification | null {
  const text = (key: string): string => readText(body[key]).trim();
  const [applicationId, recordId, type] = [text('app_id'), text('data_id'), text('type')];
  if (!ID.test(applicationId) || !ID.test(recordId) || type === '') return null;
  const url = text('external_url') || text('url');
  const isUsable = url.length <= MAX_URL && /^https?:\/\/\S+$/i.test(url);
  return { applicationId, recordId, event: EVENT_OF.get(type) ?? null, url: isUsable ? url : null };
}

const READING_MS = 120_000;

/** The item of a notification that was answered; `null` if it is unwanted. */
async function itemOf(
  context: IWebhookFunctions,
  { recordId, applicationId }: Notification,
  summary: ChangeSummary & { event: EventName; applicationId: string | null },
  connectTo: typeof connect,
): Promise<INodeExecutionData | null> {
  const events = readEvents(context.getNodeParameter('events', [...WEBHOOK_EVENTS]), WEBHOOK_EVENTS);
  if (!events.has(summary.event)) return null;
  const wanted = readWanted(context);
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
    const application = await fetchApplication(client, reference);
    if (wanted !== '' && !isKnown && application.id !== (reference === wanted ? applicationId : wanted))
      return null;
    summary.applicationId = application.id || summary.applicationId;
    const app = new ApplicationSession(client, reference, application);
    const record = await readRecord(app, recordId, options.loadReferenceLists);
    const keyMode = learnFrom(app, record);
    const { id, event, ...rest } = summary;
    const { revision } = recordReader(application.parts, { keyMode })(record);
    const fetch = async (file: AttachedFile): Promise<IBinaryData> =>
      await downloadAttachment(client, id, file, keepBinary(context));
    const { json, binary, failures } = await changePresenter(app, keyMode, options)(
      { event, id, revision, ...rest },
      record,
      options.downloadAttachments ? fetch : null,
    );
    // The record is output without the files that do not come.
    const shown = failures.length === 0 ? json : withError(context, json, failures[0]);
    return options.downloadAttachments ? { json: shown, binary } : { json: shown };
  };
  return await within(signal, read, tooLate);
}

function isIdentifier(application: string): boolean {
  return application.startsWith('@');
}

function withError(context: IWebhookFunctions, json: IDataObject, error: unknown): IDataObject {
  const message = mask(messageOf(error));
  log(context, `A notified record could not be read: ${message}`);
  return { ...json, readError: message };
}

function tooLate(): ServiceError {
  return new ServiceError(
    'lost',
    'The service did not return the record within two minutes',
    'Read the record with Get, or let the polling trigger find the change. If this happens again, ask the administrator why the service is slow.',
  );
}
