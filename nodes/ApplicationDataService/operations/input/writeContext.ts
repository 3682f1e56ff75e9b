import type { WriteContext } from '../../parts/model/codec';
import type { KeyMode } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
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
