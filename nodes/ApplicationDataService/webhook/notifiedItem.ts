import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { PresentOptions } from '../common/presentation';
import { changeFiles, changePresenter, type ChangeSummary, type ChangeView } from '../common/changeItem';
import { readApplicationReference } from '../common/properties';
import { simplify } from '../common/options';
import { readSetting, readSettings, type Values } from '../common/setting';
import { simplifyRecord } from '../parts/record';
import type { connect } from '../service/http/connect';
import { ApplicationSession } from '../service/application/session';
import { learnFrom, readRecord } from '../service/read/records';
import { mask, maskAddress } from '../service/http/secrets';
import { settle } from '../util/concurrently';
import { messageOf } from '../util/userError';
import { sharedApplication } from './sharedApplication';
import type { Notification } from './notification';
import { inTime } from './inTime';
import { webhookOptions } from './webhookProperties';
import type { RawRecord } from '../service/read/recordList';

/** Makes the client for one notification. */
export type Connect = typeof connect;

/** Longest time for reading the record of a notification, in milliseconds. */
const READING_MS = 120_000;

/**
 * The item of a notification that was answered; none if it is unwanted. Never throws: what cannot be read becomes an
 * item with `readError` (parameters.md, "Webhook trigger").
 */
export async function itemsOf(
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
    url: url === null ? null : maskAddress(url),
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
  return await inTime(signal, async () => {
    // One turn for each node: hundreds of notifications at once must not hold up executions and polls.
    const turn = `webhook ${context.getWorkflow().id} ${context.getNode().id}`;
    const client = await connectTo(context, { turn, urgent: false }, {}, signal);
    const reference = isIdentifier(wanted) ? wanted : applicationId;
    const application = await sharedApplication(context, client, reference);
    if (wanted !== '' && !isKnown && application.id !== (reference === wanted ? applicationId : wanted))
      return null;
    summary.applicationId = application.id === '' ? summary.applicationId : application.id;
    const app = new ApplicationSession(client, reference, application);
    const record = await readRecord(app, recordId, options.loadReferenceLists);
    return await present(context, app, record, summary, options, signal);
  });
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
  signal: AbortSignal,
): Promise<INodeExecutionData> {
  const keyMode = learnFrom(app, record);
  const view: ChangeView = { app, keyMode, options };
  const { id, event, ...rest } = summary;
  const { revision } = simplifyRecord(record, app.application.parts, { keyMode });
  const json = changePresenter(view)({ event, id, revision, ...rest }, record);
  if (!options.downloadAttachments) return { json };
  const keep = context.helpers.prepareBinaryData.bind(context.helpers);
  const files = await settle(
    async () =>
      await changeFiles(
        view,
        { id, json, record },
        async (content, name, type) => await keep(content, name, type),
        signal,
      ),
  );
  if ('error' in files) return { json: withError(context, json, files.error) };
  return Object.keys(files.value).length > 0 ? { json, binary: files.value } : { json };
}

function withError(context: IWebhookFunctions, json: IDataObject, error: unknown): IDataObject {
  const message = mask(messageOf(error));
  context.logger.warn(`A notified record could not be read: ${message}`, {
    node: context.getNode().name,
    workflowId: context.getWorkflow().id,
  });
  return { ...json, readError: message };
}
