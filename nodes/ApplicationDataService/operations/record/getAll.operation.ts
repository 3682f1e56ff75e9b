import type { IDataObject } from 'n8n-workflow';

import { filterJson, sort, keyword, keywordParts } from '../../common/query';
import { filtersProperty, match } from '../../common/filters';
import { downloadOption, partsToReturn, simplify } from '../../common/options';
import { recordPresenter } from '../../common/presentation';
import { applicationProperty, limit, returnAll } from '../../common/properties';
import type { RawRecord } from '../../service/read/recordList';
import { readSelection, Warnings } from '../../service/read/selection';
import { readLimit, recordQuery } from '../input/recordQuery';
import { hintAtWarnings, withAttachments } from '../output/records';
import { type OutputItem, readOperation } from '../run/types';

/** What items with the same query share: more would take too much memory. */
const MAX_SHARED_RECORDS = 100;

/**
 * Lists records: `list_data` with filter, keyword, sort and `fields`, page by page up to the limit; conditions that the
 * service does not know are checked here, so more may be read than is returned. Attachments by `download_data_file`.
 * One item a record, simplified or as it came. Items that ask the same share one answer if that is short.
 */
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
    const present = recordPresenter(app.application.parts, query.keyMode, options);
    const isSimplified = item.get(simplify);
    const warnings = new Warnings();
    const toJson = (record: RawRecord): IDataObject =>
      isSimplified ? warnings.watch(present.simplify(record)) : present.raw(record);
    const output: OutputItem[] = [];
    const selection = { ...query, limit: readLimit(item) };
    const question = ['list', app.reference, selection];
    item.run.hints.sameQuestion(question);
    const { limit: most = Infinity } = selection;
    const pages = readSelection(app, selection, warnings);
    const isShort = most <= MAX_SHARED_RECORDS;
    const read = isShort ? await item.run.session.once(question, async () => await allPages(pages)) : pages;
    for await (const page of read) {
      if (!options.downloadAttachments) {
        for (const record of page) output.push({ json: toJson(record) });
        continue;
      }
      const records = page.map((record) => {
        const json = toJson(record);
        return { json, simplified: isSimplified ? json : present.simplify(record) };
      });
      output.push(...(await withAttachments(item, app, records, query.keyMode)));
    }
    hintAtWarnings(item, warnings);
    return output;
  },
});

async function allPages(pages: AsyncIterable<readonly RawRecord[]>): Promise<(readonly RawRecord[])[]> {
  const all: (readonly RawRecord[])[] = [];
  for await (const page of pages) all.push(page);
  return all;
}
