import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { ServiceError } from '../service/http/errors';

/** Something the user entered or mapped cannot be used; nothing was sent. */
export class UserInputError extends Error {
  constructor(
    message: string,
    readonly description: string,
  ) {
    super(message);
    this.name = 'UserInputError';
  }
}

/** The same error with what to do about it in its message: an AI agent is given nothing else. */
export function inOneText(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('description' in thrown)) return thrown;
  const { message, description } = thrown;
  if (typeof description !== 'string' || description === '' || message.includes(description)) return thrown;
  thrown.message = `${message}${/[.!?]$/.test(message) ? '' : '.'} ${description}`;
  return thrown;
}

/**
 * The error as n8n shows it: what happened, what to do, and for which item. Built from our own words only, so that
 * nothing a request held can appear in it.
 */
export function toNodeError(
  node: INode,
  thrown: unknown,
  itemIndex?: number,
): NodeApiError | NodeOperationError {
  if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { message } = error;
  const description =
    'description' in error && typeof error.description === 'string' ? error.description : undefined;

  const nodeError =
    error instanceof ServiceError && error.details.status !== undefined
      ? new NodeApiError(
          node,
          { message },
          {
            message,
            description,
            itemIndex,
            httpCode: String(error.details.status),
          },
        )
      : new NodeOperationError(node, error, { message, description, itemIndex });
  // n8n replaces a message that merely contains the name of a system error.
  nodeError.message = message;
  return nodeError;
}
