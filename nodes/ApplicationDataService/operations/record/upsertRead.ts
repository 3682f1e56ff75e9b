import type { updateOptions } from '../../common/writeOptions';
import type { Values } from '../../common/setting';
import type { EncodedPart } from '../../parts/encode';
import type { WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { UserError } from '../../util/userError';
import { withEmptiedParts, type Change } from '../input/change';
import { assertMergeable, conflictPolicy } from '../input/conflictPolicy';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { matchingParts, matchingText } from '../input/matchingKey';
import { readUpdate } from '../input/recordWrites';
import { readForAny } from '../input/storedChoices';
import { writeContext } from '../input/writeContext';
import type { Item } from '../run/item';
import type { UpsertWork } from './upsertWork';
import type { MatchKey } from '../../service/read/keyedRecords';

/**
 * Reads what an item wants, before anything is matched or written.
 * @throws UserError without a matching part, or if the item has no value for one.
 */
export async function readUpsert(item: Item, options: Values<typeof updateOptions>): Promise<UpsertWork> {
  const app = await item.application();
  const policy = item.get(conflictPolicy);
  assertMergeable(item, policy);
  const context = await writeContext(item, app, options);
  const parts = matchingParts(item, app);
  const read = (known: WriteContext): { readonly key: MatchKey; readonly change: Change } => {
    const mapped = mappedValues(item, app.application.parts, known, options.ignoreUnknown);
    assertValuesGiven(mapped);
    const key = parts.map((part) => keyValue(part, mapped));
    return { key, change: withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, known) };
  };
  const {
    read: { key, change },
    refusal,
  } = readForAny(context, read);
  // Anything that would be refused for an update is refused before the first item is written.
  readUpdate(item, app, { id: '', policy: 'overwrite', revision: null }, change, context, options);
  const changeFor = (known: WriteContext): Change => read(known).change;
  return { item, app, options, context, policy, change, refusal, changeFor, parts, key, record: null };
}

function keyValue(part: Part, values: readonly EncodedPart[]): string {
  const text = matchingText(part, values);
  if (text.trim() !== '') return text;
  throw new UserError(
    `The item has no value for ${namePart(part)}, which identifies the record`,
    'Nothing was written for this item. Give it a value, or match on another part.',
  );
}
