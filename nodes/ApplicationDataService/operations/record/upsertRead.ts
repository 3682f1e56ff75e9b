import type { upsertOptions } from '../../common/writeOptions';
import type { Values } from '../../common/setting';
import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { UserError } from '../../util/userError';
import { withEmptiedParts } from '../input/change';
import { assertMergeable, conflictPolicy } from '../input/conflictPolicy';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { matchingParts, matchingText } from '../input/matchingKey';
import { readUpdate } from '../input/recordWrites';
import { writeContext } from '../input/writeContext';
import type { Item } from '../run/item';
import type { UpsertWork } from './upsertWork';

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserError without a matching part, or if the item has no value for one.
 */
export async function readUpsert(item: Item, options: Values<typeof upsertOptions>): Promise<UpsertWork> {
  const app = await item.application();
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  const context = await writeContext(item, app, options.partKey);
  const parts = matchingParts(item, app);
  const mapped = mappedValues(item, app.application.parts, context, options.ignoreUnknown);
  assertValuesGiven(mapped);
  const key = parts.map((part) => keyValue(part, mapped));
  const change = withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, context);
  // Anything that would be refused for an update is refused before the first item is written.
  readUpdate(item, app, { id: '', policy: 'overwrite', revision: null }, change, context, options);
  return { item, app, options, context, policy, change, parts, key, record: null };
}

function keyValue(part: Part, values: readonly EncodedPart[]): string {
  const text = matchingText(part, values);
  if (text.trim() !== '') return text;
  throw new UserError(
    `The item has no value for ${namePart(part)}, which identifies the record`,
    'Give it a value, or match on another part.',
  );
}
