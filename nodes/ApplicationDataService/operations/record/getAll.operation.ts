import { recordPresenter } from '../../common/presentation';
import { readRecords, type RawRecord, type RecordQuery } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { Item } from '../run/item';
import { Gaps } from '../output/gaps';
import { withinLimit } from '../input/limit';
import { downloadAttachments, output, partKey, partsToReturn, timezone } from '../../common/options';
import { applicationProperty, limit, returnAll } from '../../common/properties';
import { filterJson } from '../../common/filterJson';
import { filtersProperty } from '../../common/filters';
import { keyword, keywordParts } from '../../common/keyword';
import { sort } from '../../common/sort';
import { readOnce } from '../run/readOnce';
import { withAttachments } from '../output/recordFiles';
import { recordQuery } from '../input/recordQuery';
import { readOperation, type OutputItem } from '../run/types';

/** Up to so many records are kept for further items that ask the same; more would hold memory. */
const KEPT_RECORDS = 100;

/** Record > Get Many (interface.md, "list_data"). */
export const getManyRecords = readOperation({
  resource: 'record',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many records',
  description: 'Read the records of an application, all or those that meet conditions',
  properties: [applicationProperty, returnAll.property, limit.property, filtersProperty],
  options: {
    downloadAttachments,
    filterJson,
    keyword,
    keywordParts,
    output,
    partKey,
    partsToReturn,
    sort,
    timezone,
  },
  async execute(item, options) {
    const app = await item.application();
    const query = await recordQuery(item, app, options);
    const present = recordPresenter(app.application.parts, query.keyMode, options);
    const simplify = recordPresenter(app.application.parts, query.keyMode, {
      ...options,
      output: 'simplified',
    });
    const raw = options.output === 'raw';
    const gaps = new Gaps();
    const found = await withinLimit(item, 'records', async (most) => {
      const items: OutputItem[] = [];
      for await (const page of pagesOf(item, app, { ...query, limit: most })) {
        const records = page.map((record) => {
          const json = raw ? present(record) : gaps.watch(present(record));
          return { json, simplify: () => (raw ? simplify(record) : json) };
        });
        const made = options.downloadAttachments
          ? await withAttachments(item, app, records, query.keyMode)
          : records.map(({ json }) => ({ json }));
        for (const each of made) items.push(each);
      }
      return items;
    });
    gaps.hint(item);
    return found;
  },
});

async function* pagesOf(
  item: Item,
  app: ApplicationSession,
  query: RecordQuery,
): AsyncGenerator<readonly RawRecord[]> {
  if (query.limit === undefined || query.limit > KEPT_RECORDS) {
    yield* readRecords(app, query);
    return;
  }
  yield await readOnce(item, ['list_data', app.reference, query], async () => {
    const records: RawRecord[] = [];
    for await (const page of readRecords(app, query)) records.push(...page);
    return records;
  });
}
