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

/** The input is a complete list, so its rows are complete, too. */
const wholeTables = choiceSetting<'merge' | 'replace'>(
  { ...tableRowMode.property, default: 'replace' },
  { mustBeSaid: true },
);

/** The options of Sync. */
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
