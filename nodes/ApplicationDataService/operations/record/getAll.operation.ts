import { readPresentOptions, recordPresenter } from '../../common/presentation';
import { readRecords, type RawRecord, type RecordQuery } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { ItemRun } from '../run/itemRun';
import { Gaps } from '../output/gaps';
import { withinLimit } from '../input/limit';
import { downloadAttachmentsOption, outputOption, partKeyOption, timezoneOption } from '../../common/options';
import {
  applicationProperty,
  limitProperty,
  optionsProperty,
  returnAllProperty,
} from '../../common/properties';
import {
  filterJsonOption,
  filtersProperty,
  keywordOption,
  keywordPartsOption,
  partsToReturnOption,
  sortOption,
} from '../../common/queryProperties';
import { readOnce } from '../run/readOnce';
import { withAttachments } from '../output/recordFiles';
import { recordQuery } from '../input/recordQuery';
import type { ItemOperation, OutputItem } from '../run/types';

/** Up to so many records are kept for further items that ask the same; more would hold memory. */
const KEPT_RECORDS = 100;

/** Record > Get Many (interface.md, "list_data"). */
export const getManyRecords: ItemOperation = {
  resource: 'record',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many records',
  description: 'Read the records of an application, all or those that meet conditions',
  properties: [
    applicationProperty,
    returnAllProperty,
    limitProperty,
    filtersProperty,
    optionsProperty([
      downloadAttachmentsOption,
      filterJsonOption,
      keywordOption,
      keywordPartsOption,
      outputOption,
      partKeyOption,
      partsToReturnOption,
      sortOption,
      timezoneOption,
    ]),
  ],
  async execute(item) {
    const app = await item.application();
    const query = await recordQuery(item, app);
    const options = readPresentOptions(item.options());
    const present = recordPresenter(app.application.parts, query.keyMode, options);
    const simplify = recordPresenter(app.application.parts, query.keyMode, { ...options, raw: false });
    const gaps = new Gaps();
    const output = await withinLimit(item, 'records', async (limit) => {
      const found: OutputItem[] = [];
      for await (const page of pagesOf(item, app, { ...query, limit })) {
        const records = page.map((record) => {
          const json = options.raw ? present(record) : gaps.watch(present(record));
          return { json, simplify: () => (options.raw ? simplify(record) : json) };
        });
        for (const each of await withAttachments(item, app, records, query.keyMode)) found.push(each);
      }
      return found;
    });
    gaps.hint(item);
    return output;
  },
};

async function* pagesOf(
  item: ItemRun,
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
