import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { emptyParameter, isUnattended, toNodeError } from '../common/errors';
import { downloadOption, loadReferenceLists, partsToReturn, simplify } from '../common/options';
import {
  applicationProperty,
  eventsProperty,
  isExpression,
  optionsProperty,
  readApplicationReference,
  readEvents,
} from '../common/properties';
import type { EventName } from '../parts/model/keys';
import { readText } from '../parts/values/shapes';
import { CREDENTIAL_NAME, mask } from '../service/http/credentials';
import { settle } from '../util/concurrently';
import { UserError } from '../util/userError';

/** Parameters of the webhook trigger. Names and values are saved in workflows: never change. */

/** The events that there are, and that are wanted if the workflow names none. */
export const WEBHOOK_EVENTS: readonly EventName[] = ['created', 'updated'];

export const webhookOptions = {
  downloadAttachments: downloadOption,
  loadReferenceLists,
  partsToReturn,
};

export const webhookProperties: INodeProperties[] = [
  {
    ...applicationProperty,
    required: false,
    hint: "Empty means all. Let automatic processing send a webhook to the URL above, with the 'Webhook Token' as access token",
    description:
      'The application whose records start the workflow. Empty: every application whose automatic processing calls this address.',
  },
  eventsProperty(WEBHOOK_EVENTS, 'What starts the workflow. The service does not report deletions.'),
  simplify.property,
  optionsProperty(webhookOptions),
];

/**
 * Publishing or listening is refused without an event, and without a token, because then anyone could pose as the
 * service.
 * @throws NodeOperationError
 */
export async function register(context: IHookFunctions): Promise<boolean> {
  const checked = await settle(async () => {
    if (readToken(await context.getCredentials(CREDENTIAL_NAME)) === '')
      throw new UserError(
        'The credential has no Webhook Token: enter a long random text there',
        'Create a long random text, and enter it as Webhook Token in the credential and as the access token of the automatic processing that calls this address. Without it, anyone could start the workflow.',
      );
    readEvents(context.getNodeParameter('events', [...WEBHOOK_EVENTS]), WEBHOOK_EVENTS);
    readWanted(context);
  });
  if ('value' in checked) return true;
  const error = toNodeError(context.getNode(), checked.error);
  // It would also stop the workflow's other triggers.
  if (!isUnattended(context)) throw error;
  log(context, `The webhook trigger cannot start the workflow: ${error.message}`);
  return true;
}

/** The application whose records start the workflow; empty for any. @throws UserError if an expression gives none */
export function readWanted(context: IWebhookFunctions | IHookFunctions): string {
  const wanted = readApplicationReference(context.getNodeParameter('application', ''));
  const saved = readApplicationReference(context.getNode().parameters.application);
  if (wanted === '' && isExpression(saved)) throw emptyParameter('The application');
  return wanted;
}

/** @param message without anything that a stranger has sent. */
export function log(context: IWebhookFunctions | IHookFunctions, message: string): void {
  context.logger.warn(mask(message), { node: context.getNode().name, workflowId: context.getWorkflow().id });
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
  for (let index = 0; index < text.length; index++)
    difference |= text.charCodeAt(index) ^ token.charCodeAt(index % token.length);
  return difference === 0;
}
