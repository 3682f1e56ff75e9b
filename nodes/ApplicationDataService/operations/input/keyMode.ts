import { UserError } from '../../util/userError';
import type { WriteContext } from '../../parts/model/codec';
import type { KeyMode } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import type { ItemRun } from '../run/itemRun';

/** The user's choice of the Part Key option; `null` for "find out". */
function chosenKeyMode(item: ItemRun): KeyMode | null {
  const choice = item.options().partKey;
  return choice === 'name' || choice === 'identifier' ? choice : null;
}

/** How to read: where nothing tells, the application has no record, and either way nothing comes. */
export async function keyModeForReading(item: ItemRun, app: ApplicationSession): Promise<KeyMode> {
  return chosenKeyMode(item) ?? (await app.keyMode()) ?? 'name';
}

/**
 * How to write. Never guessed: under the wrong key a value would be lost, or an empty record added.
 * @throws UserError when it cannot be known.
 */
async function keyModeForWriting(item: ItemRun, app: ApplicationSession): Promise<KeyMode> {
  const mode = chosenKeyMode(item) ?? (await app.keyMode());
  if (mode !== null) return mode;
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    'It has no record that would tell. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}

/**
 * What the values of an item are written with.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function writeContext(item: ItemRun, app: ApplicationSession): Promise<WriteContext> {
  const context = { keyMode: await keyModeForWriting(item, app), timezone: item.timezone() };
  return item.run.byAgent ? { ...context, emptyIsUnsaid: true } : context;
}
