import { concurrency, partKey, timezone } from '../../../common/options';
import {
  autoAction,
  dryRun,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  relookupKeyParts,
  tableRowMode,
} from '../../../common/writeOptions';
import { choiceSetting, switchSetting } from '../../../common/setting';

const allowMostRemovals = switchSetting({
  displayName: 'Allow Most to Be Removed',
  name: 'allowMostRemovals',
  type: 'boolean',
  default: false,
  description: 'Whether one run may remove more than half of the records that may be removed',
});

/** The list that comes in is whole, so its rows are, too. */
const wholeTables = choiceSetting<'merge' | 'replace'>(
  { ...tableRowMode.property, default: 'replace' },
  { mustBeSaid: true },
);

/** What Sync takes. */
export const syncOptions = {
  allowMostRemovals,
  concurrency,
  dryRun,
  ignoreUnknown,
  relookupKeyParts,
  partKey,
  partsToEmpty,
  peopleByName,
  autoAction,
  tableRowMode: wholeTables,
  timezone,
};
