import { detectKeyMode } from '../../parts/model/detectKeyMode';
import type { KeyMode, Part } from '../../parts/model/part';
import type { ServiceClient } from '../http/client';
import { callForList } from '../http/listItems';

/** What a look at the application showed. */
export interface FoundKeyMode {
  /** `null` if nothing shows it. */
  readonly mode: KeyMode | null;
  /** There was no record to show it. */
  readonly sawNoRecord: boolean;
}

/**
 * Finds out whether the application keys its parts by name or by identifier. The interface does not say, so a record's
 * keys are checked, unless the part definitions allow only one.
 * @param reference application id, or `@` and its identifier.
 */
export async function findKeyMode(
  client: ServiceClient,
  reference: string,
  parts: readonly Part[],
): Promise<FoundKeyMode> {
  const certain = detectKeyMode(undefined, parts);
  if (certain !== null) return { mode: certain, sawNoRecord: false };
  const [record] = await callForList(client, 'list_data', [
    ['app_id', reference],
    ['limit', '1'],
  ]);
  return { mode: detectKeyMode(record, parts), sawNoRecord: record === undefined };
}
