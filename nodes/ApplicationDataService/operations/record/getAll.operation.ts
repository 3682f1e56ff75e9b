import type { IDataObject } from 'n8n-workflow';

import { filterJson, sort, keyword, keywordParts } from '../../common/query';
import { filtersProperty, match } from '../../common/filters';
import { downloadOption, partsToReturn, simplify } from '../../common/options';
import { recordPresenter } from '../../common/presentation';
import { applicationProperty, limit, returnAll } from '../../common/properties';
import type { ApplicationSession } from '../../service/application/session';
import type { RawRecord } from '../../service/read/recordList';
import { readSelection, type Selection, Warnings } from '../../service/read/selection';
import { readLimit, recordQuery } from '../input/recordQuery';
import { withAttachments } from '../output/recordFiles';
import { hintAtWarnings } from '../output/warnings';
import type { Item } from '../run/item';
import { type OutputItem, readOperation } from '../run/types';

/** How many records are kept for other items with the same query. More would take too much memory. */
const KEPT_RECORDS = 100;

/** Record > Get Many (interface.md, "list_data"). */
export const getManyRecords = readOperation({
  resource: 'record',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many records',
  description: 'Read all records of an application, or those that meet conditions',
  properties: [
    applicationProperty,
    returnAll.property,
    limit.property,
    match.property,
    filtersProperty,
    sort.property,
    simplify.property,
  ],
  options: {
    downloadAttachments: downloadOption,
    filterJson,
    keyword,
    keywordParts,
    partsToReturn,
  },
  async execute(item, options) {
    const app = await item.application();
    const query = await recordQuery(item, app, options);
    const simplified = recordPresenter(app.application.parts, query.keyMode, options);
    const raw = !item.get(simplify);
    const present = raw
      ? recordPresenter(app.application.parts, query.keyMode, { ...options, simplify: false })
      : simplified;
    const warnings = new Warnings();
    const toJson = (record: RawRecord): IDataObject =>
      raw ? present(record) : warnings.watch(present(record));
    const found: OutputItem[] = [];
    for await (const page of pagesOf(item, app, { ...query, limit: readLimit(item) }, warnings)) {
      if (!options.downloadAttachments) {
        for (const record of page) found.push({ json: toJson(record) });
        continue;
      }
      const records = page.map((record) => {
        const json = toJson(record);
        return { json, simplify: () => (raw ? simplified(record) : json) };
      });
      found.push(...(await withAttachments(item, app, records, query.keyMode)));
    }
    hintAtWarnings(item, warnings);
    return found;
  },
});

async function* pagesOf(
  item: Item,
  app: ApplicationSession,
  query: Selection,
  warnings: Warnings,
): AsyncGenerator<readonly RawRecord[]> {
  if (query.limit === undefined || query.limit > KEPT_RECORDS) {
    yield* readSelection(app, query, warnings);
    return;
  }
  const kept = await item.once(['list', app.reference, query], async () => {
    const records: RawRecord[] = [];
    const found = new Warnings();
    for await (const page of readSelection(app, query, found)) records.push(...page);
    return { records, found };
  });
  warnings.add(kept.found);
  yield kept.records;
}
