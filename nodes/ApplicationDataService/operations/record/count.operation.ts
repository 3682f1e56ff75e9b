import { countRecords } from '../../service/read/records';
import { partKey, timezone } from '../../common/options';
import { applicationProperty } from '../../common/properties';
import { filterJson } from '../../common/filterJson';
import { filtersProperty } from '../../common/filters';
import { countKeywordParts, keyword } from '../../common/keyword';
import { readOnce } from '../run/readOnce';
import { recordNarrowing } from '../input/recordQuery';
import { readOperation } from '../run/types';

/** Record > Count (interface.md, "count_data"). */
export const countRecordsOperation = readOperation({
  resource: 'record',
  value: 'count',
  name: 'Count',
  action: 'Count records',
  description: 'Count the records of an application, all or those that meet conditions',
  properties: [applicationProperty, filtersProperty],
  options: { filterJson, keyword, keywordParts: countKeywordParts, partKey, timezone },
  async execute(item, options) {
    const app = await item.application();
    const query = await recordNarrowing(item, app, options);
    const count = await readOnce(
      item,
      ['count_data', app.reference, query],
      async () => await countRecords(app, query),
    );
    return [{ json: { count } }];
  },
});
