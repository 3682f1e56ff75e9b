import { UserError } from '../../util/userError';
import type { EncodedPart } from '../../parts/record';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { WriteOptions } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { ItemRun } from '../run/itemRun';

/**
 * What an insert or update sends besides the values.
 * @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data").
 */
export function writeOptions(
  item: ItemRun,
  app: ApplicationSession,
  values: readonly EncodedPart[],
): WriteOptions {
  const { autoAction, relookupKeyParts } = item.options();
  const keyParts = chosenParts(app.application.parts, relookupKeyParts);
  const missing = keyParts.find(
    (part) => !values.some((sent) => sent.part === part && sent.value.kind !== 'keep'),
  );
  if (missing !== undefined) {
    throw new UserError(
      `The lookup key part "${missing.name}" has no value in this item`,
      'The service copies values by the key that is sent along. Map a value to this part, or take it out of the lookup key parts.',
    );
  }
  return { autoAction: autoAction !== false, relookupKeyParts: keyParts.map((part) => part.id) };
}
