import { partKey } from '../../../common/options';
import {
  autoAction,
  dryRun,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  relookupKeyParts,
  tableRowMode,
} from '../../../common/writeOptions';
import { choiceSetting, optionSwitch } from '../../../common/setting';

const allowMostRemovals = optionSwitch(false, {
  displayName: 'Allow Most to Be Removed',
  name: 'allowMostRemovals',
  displayOptions: { show: { '/missing': ['delete'] } },
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
  dryRun,
  ignoreUnknown,
  relookupKeyParts,
  partKey,
  partsToEmpty,
  peopleByName,
  autoAction,
  tableRowMode: wholeTables,
};
