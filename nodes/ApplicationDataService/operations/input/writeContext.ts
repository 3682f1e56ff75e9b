import type { PartChoice } from '../../common/setting';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { EncodedPart } from '../../parts/encode';
import type { WriteContext } from '../../parts/model/codec';
import type { KeyMode } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import type { FormOptions } from '../../service/write/form';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';

/** The mode to read with. If it is unknown, the application has no record, so either mode returns nothing. */
export async function keyModeForReading(app: ApplicationSession): Promise<KeyMode> {
  return (await app.keyMode()) ?? 'name';
}

/**
 * The context for writing an item's values. The key is never guessed: under the wrong one a value would be lost, or an
 * empty record added.
 * @param partKey what the option says; absent where no record can be added.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function writeContext(
  item: Item,
  app: ApplicationSession,
  partKey?: 'auto' | KeyMode,
): Promise<WriteContext> {
  const keyMode = partKey === undefined || partKey === 'auto' ? await app.keyMode() : partKey;
  if (keyMode !== null) {
    const context = {
      keyMode,
      timezone: item.timezone,
      ...(item.people && { people: item.people }),
    };
    return item.run.byAgent ? { ...context, emptyIsOmitted: true } : context;
  }
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    partKey === undefined
      ? 'It has no record that the access key may see, so there is none to change. Check the application and the record ID.'
      : 'It has no record to find out from. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}

/** The options that are sent along. */
export interface SentOptions {
  readonly autoAction: boolean;
  readonly relookupKeyParts?: PartChoice;
}

/**
 * What an insert or update sends in addition to the values.
 * @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data").
 */
export function formOptions(
  app: ApplicationSession,
  values: readonly EncodedPart[],
  { autoAction, relookupKeyParts }: SentOptions,
): FormOptions {
  const keyParts = chosenParts(app.application.parts, relookupKeyParts);
  const missing = keyParts.find(
    (part) => !values.some((sent) => sent.part === part && sent.value.kind !== 'keep'),
  );
  if (missing !== undefined) {
    throw new UserError(
      `The lookup key part "${missing.name}" has no value in this item`,
      'The service needs its value to copy values. Map a value to this part, or remove it from the lookup key parts.',
    );
  }
  return { autoAction, relookupKeyParts: keyParts.map((part) => part.id) };
}
