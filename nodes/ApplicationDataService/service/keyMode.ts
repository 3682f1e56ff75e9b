import { detectKeyMode } from '../parts/keyMode';
import type { KeyMode } from '../parts/part';
import { callForList } from './applications';
import type { ApplicationSession } from './session';

/**
 * Whether the application keys its parts by name or by identifier. The interface does not say which, so a record's
 * keys are looked at, unless the part definitions leave no choice. `null` where nothing tells.
 */
export async function findKeyMode({
  client,
  reference,
  application,
}: ApplicationSession): Promise<KeyMode | null> {
  const certain = detectKeyMode(undefined, application.parts);
  if (certain !== null) return certain;
  const [record] = await callForList(client, 'list_data', [
    ['app_id', reference],
    ['limit', '1'],
  ]);
  return detectKeyMode(record, application.parts);
}
