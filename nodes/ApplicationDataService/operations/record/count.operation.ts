import { countRecords } from '../../service/read/records';
import { partKeyOption, timezoneOption } from '../../common/options';
import { applicationProperty, optionsProperty } from '../../common/properties';
import {
  countKeywordPartsOption,
  filterJsonOption,
  filtersProperty,
  keywordOption,
} from '../../common/queryProperties';
import { readOnce } from '../run/readOnce';
import { recordNarrowing } from '../input/recordQuery';
import type { ItemOperation } from '../run/types';

/** Record > Count (interface.md, "count_data"). */
export const countRecordsOperation: ItemOperation = {
  resource: 'record',
  value: 'count',
  name: 'Count',
  action: 'Count records',
  description: 'Count the records of an application, all or those that meet conditions',
  properties: [
    applicationProperty,
    filtersProperty,
    optionsProperty([
      filterJsonOption,
      keywordOption,
      countKeywordPartsOption,
      partKeyOption,
      timezoneOption,
    ]),
  ],
  async execute(item) {
    const app = await item.application();
    const query = await recordNarrowing(item, app);
    const count = await readOnce(
      item,
      ['count_data', app.reference, query],
      async () => await countRecords(app, query),
    );
    return [{ json: { count } }];
  },
};
