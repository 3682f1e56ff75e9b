import { countSelection, Warnings } from '../../service/read/selection';
import { applicationProperty } from '../../common/properties';
import { filterJson, countKeywordParts, keyword } from '../../common/query';
import { filtersProperty, match } from '../../common/filters';
import { hintAtWarnings } from '../output/records';
import { recordQuery } from '../input/recordQuery';
import { readOperation } from '../run/types';

/**
 * Counts records: `count_data` with filter and keyword, and in `fields` the parts to search. Where the node checks
 * conditions itself, or one of several is enough, it counts what it reads by `list_data`.
 * One item per item: `{count}`; items that ask the same share one answer.
 */
export const countRecordsOperation = readOperation({
  resource: 'record',
  value: 'count',
  name: 'Count',
  action: 'Count records',
  description: 'Count all records of an application, or those that meet conditions',
  properties: [applicationProperty, match.property, filtersProperty],
  options: { filterJson, keyword, keywordParts: countKeywordParts },
  async execute(item, options) {
    const app = await item.application();
    const query = await recordQuery(item, app, options, true);
    const question = ['count', app.reference, query];
    item.run.hints.sameQuestion(question);
    const { count, warnings } = await item.run.session.once(question, async () => {
      const counted = new Warnings();
      return { count: await countSelection(app, query, counted), warnings: counted };
    });
    hintAtWarnings(item, warnings);
    return [{ json: { count } }];
  },
});
