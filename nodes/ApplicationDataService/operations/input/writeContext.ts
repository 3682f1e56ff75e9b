import type { WriteContext } from '../../parts/model/codec';
import type { KeyMode } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';

/** The options that say how values are written and read. */
export interface ContextOptions {
  readonly partKey: 'auto' | KeyMode;
  /** Empty for the workflow's own. */
  readonly timezone?: string;
}

/** Time zone of the service's dates and times. */
export function timezoneOf(item: Item, { timezone = '' }: ContextOptions): string {
  return timezone === '' ? item.run.context.getTimezone() : timezone;
}

/** The mode to read with. If it is unknown, the application has no record, so either mode returns nothing. */
export async function keyModeForReading(
  app: ApplicationSession,
  { partKey }: ContextOptions,
): Promise<KeyMode> {
  return partKey === 'auto' ? ((await app.keyMode()) ?? 'name') : partKey;
}

/**
 * The context for writing an item's values. The key is never guessed: under the wrong one a value would be lost, or an
 * empty record added.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function writeContext(
  item: Item,
  app: ApplicationSession,
  options: ContextOptions,
): Promise<WriteContext> {
  const keyMode = options.partKey === 'auto' ? await app.keyMode() : options.partKey;
  if (keyMode !== null) {
    const context = {
      keyMode,
      timezone: timezoneOf(item, options),
      ...(item.people && { people: item.people }),
    };
    return item.run.byAgent ? { ...context, emptyIsUnsaid: true } : context;
  }
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    'It has no record to find out from. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}
