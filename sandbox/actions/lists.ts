import type { Call } from '../call/call.ts';
import type { Dialect } from '../settings/switches.ts';
import { ServiceError } from '../call/refusals.ts';
import type { Answer } from './action.ts';

/** How many items a list contains at most, whatever is requested (interface.md, "Limits"). */
const mostItems = 5000;

/** `offset` and `limit` of a list. */
export function readPage(call: Call): { offset: number; limit: number } {
  return {
    offset: call.parameters.integer('offset', 0),
    limit: Math.min(mostItems, call.parameters.integer('limit', mostItems)),
  };
}

/**
 * The answer of a list action, in the shape of the dialect.
 * @param items each as JSON text
 */
export function listAnswer(items: readonly string[], dialect: Dialect): Answer {
  if (items.length === 1 && dialect.singleItem === 'object')
    return { members: `"list":{"item":${items[0]}}`, listed: 1 };
  if (items.length > 0) return { members: `"list":{"item":[${items.join(',')}]}`, listed: items.length };
  switch (dialect.emptyList) {
    case 'array':
      return { body: { list: { item: [] } } };
    case 'error':
      throw new ServiceError('noMatchingData', 'There is no matching data');
    case 'emptyString':
      return { body: { list: { item: '' } } };
    case 'noItem':
      return { body: { list: {} } };
    case 'noList':
      return { body: {} };
  }
}
