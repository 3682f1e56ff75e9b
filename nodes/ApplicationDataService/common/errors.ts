import {
  NodeApiError,
  NodeOperationError,
  type IHookFunctions,
  type INode,
  type IPollFunctions,
} from 'n8n-workflow';

import { ServiceError } from '../service/http/errors';
import { mask } from '../service/http/credentials';
import { UserError } from '../util/userError';

/** Whether n8n itself starts a trigger, or another n8n takes over: nobody reads an error then. */
export function isUnattended(context: IHookFunctions | IPollFunctions): boolean {
  return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

export function emptyParameter(label: string, what = 'it'): UserError {
  return new UserError(`${label} is empty`, `Enter ${what}, or check the expression that should return it.`);
}

/** Nothing is there of what an item names, and its options say that this is an error. */
export function noneFound(message: string): UserError {
  return new UserError(message, 'Check the ID, or turn off "Fail If Not Found" in the options.');
}

/** An error with its description in the message, because an AI agent gets only the message. */
export function inOneText(thrown: unknown): unknown {
  if (!(thrown instanceof UserError)) return thrown;
  const { message, description } = thrown;
  if (description === '' || message.includes(description)) return thrown;
  return thrown.reworded(`${message}${/[.!?]$/.test(message) ? '' : '.'} ${description}`);
}

/** An error with one line in its message, which n8n shows without breaks; the others begin its description. */
export function withHeading(thrown: unknown): unknown {
  if (!(thrown instanceof UserError)) return thrown;
  const [heading = '', ...others] = thrown.message.split('\n');
  return others.length === 0 ? thrown : thrown.reworded(heading, [...others, thrown.description].join('\n'));
}

/** The error as n8n shows it. Built from our own words only, so that nothing a request held can appear in it. */
export function toNodeError(
  node: INode,
  thrown: unknown,
  itemIndex?: number,
): NodeApiError | NodeOperationError {
  if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const message = mask(error.message);
  const description = error instanceof UserError ? mask(error.description) : undefined;
  const shown = { message, description, itemIndex };
  // n8n keeps an error with all its causes, which say where a fault of ours is.
  const cause = tellsSecret(error) ? undefined : error;

  const status = error instanceof ServiceError ? error.details.status : undefined;
  const nodeError =
    status === undefined
      ? new NodeOperationError(node, cause ?? new Error(message), shown)
      : // With the message in it, n8n would show it once more.
        new NodeApiError(node, {}, { ...shown, httpCode: status < 400 ? undefined : String(status) });
  // Not enumerable: n8n would store all that it holds with the execution.
  Object.defineProperty(nodeError, 'cause', { value: cause, enumerable: false, configurable: true });
  // n8n shows these under "Error details".
  if (error instanceof ServiceError && error.details.said !== undefined)
    nodeError.messages.push(mask(error.details.said));
  // n8n replaces a message that merely contains the name of a system error.
  nodeError.message = message;
  if (description?.includes('\n')) {
    // n8n shows descriptions as HTML, in which line breaks are spaces.
    const text = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    nodeError.context.descriptionTemplate = text.replaceAll('\n', '<br>');
  }
  return nodeError;
}

function tellsSecret(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, stack, cause, description, details } = error as Error & Partial<ServiceError>;
  const texts = [message, stack, description, details?.said];
  return texts.some((text) => typeof text === 'string' && mask(text) !== text) || tellsSecret(cause);
}
