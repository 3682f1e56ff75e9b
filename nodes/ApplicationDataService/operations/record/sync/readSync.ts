import type { Values } from '../../../common/setting';
import { UserError } from '../../../util/userError';
import { withEmptiedParts } from '../../input/change';
import { assertValuesGiven, mappedValues } from '../../input/mapping';
import { matchingParts, matchingText } from '../../input/matchingKey';
import { readUpdate } from '../../input/recordWrites';
import { writeContext } from '../../input/writeContext';
import type { Item } from '../../run/item';
import { readRemovalTerms } from './removalTerms';
import type { syncOptions } from './syncOptions';
import type { SyncWork } from './syncWork';

/**
 * Reads what an item wants, before anything is compared or written. An item without a key passes: it is refused with all
 * others.
 * @throws UserError for an AI agent; without a matching part; for values that cannot be written.
 */
export async function readSync(item: Item, options: Values<typeof syncOptions>): Promise<SyncWork> {
  if (item.run.byAgent) throw notForAgents();
  const app = await item.application();
  const context = { ...(await writeContext(item, app, options.partKey)), blankKeepsRows: true };
  const removal = readRemovalTerms(item, app.application.parts, context);
  const parts = matchingParts(item, app);
  const mapped = mappedValues(item, app.application.parts, context, options.ignoreUnknown);
  const key = parts.map((part) => matchingText(part, mapped));
  if (key.every((text) => text !== '')) assertValuesGiven(mapped);
  const change = withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, context);
  return {
    item,
    app,
    options,
    context,
    removal,
    change,
    parts,
    key,
    sync: null,
    record: null,
    // Anything that would be refused for an update is refused before the first item is written.
    update: readUpdate(item, app, ANY_RECORD, change, context, { ...options, skipUnchanged: true }),
  };
}

/** The record is found later. */
const ANY_RECORD = { id: '', policy: 'overwrite', revision: null } as const;

function notForAgents(): UserError {
  return new UserError(
    'Sync does not work with an AI agent: it needs the whole list as its input, and an agent sends one record at a time',
    'Use Create or Update for single records, and Delete for those to remove.',
  );
}
