import { detectKeyMode } from '../../parts/model/detectKeyMode';
import type { KeyMode, Part } from '../../parts/model/part';
import type { ServiceClient } from '../http/client';
import { callForList } from '../http/listItems';

/**
 * Finds out whether the application keys its parts by name or by identifier. The interface does not say, so a record's
 * keys are checked, unless the part definitions allow only one. `null` if neither shows it.
 * @param reference application id, or `@` and its identifier.
 */
export async function findKeyMode(
  client: ServiceClient,
  reference: string,
  parts: readonly Part[],
): Promise<KeyMode | null> {
  const certain = detectKeyMode(undefined, parts);
  if (certain !== null) return certain;
  const [record] = await callForList(client, 'list_data', [
    ['app_id', reference],
    ['limit', '1'],
  ]);
  return detectKeyMode(record, parts);
}
