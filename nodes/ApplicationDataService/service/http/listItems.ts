import { readItems } from '../../parts/values/wire';
import { unless } from '../../util/concurrently';
import type { ServiceClient } from './client';
import { isRefusal } from './errors';
import type { FormField } from './multipart';

/** Lists contain at most this many items, also by default (interface.md, "Limits"). */
export const MAX_LIST_LENGTH = 5000;

/** `errorno` of "no matching data": some services send it instead of an empty list. */
export const NO_MATCHING_DATA = -110;

/** The items of an action that answers with a list; none if the service says that nothing matches. */
export async function callForList(
  client: ServiceClient,
  action: string,
  fields: readonly FormField[],
): Promise<unknown[]> {
  const answer = await unlessNothingMatches(async () => await client.call(action, fields));
  return readItems(answer?.list);
}

/** The result of a call; `null` if the service refuses it because nothing matches. */
export async function unlessNothingMatches<T>(call: () => Promise<T>): Promise<T | null> {
  return await unless((error) => isRefusal(error) && error.details.errorNumber === NO_MATCHING_DATA, call);
}
