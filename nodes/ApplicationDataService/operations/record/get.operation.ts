import type { IDataObject } from 'n8n-workflow';

import { recordPresenter } from '../../common/presentation';
import { learnFrom } from '../../service/read/records';
import { downloadOption, loadReferenceLists, partsToReturn, simplify } from '../../common/options';
import { applicationProperty, recordIdProperty } from '../../common/properties';
import { readRecordId } from '../input/several';
import { withAttachments } from '../output/records';
import { readOperation } from '../run/types';

/**
 * Reads one record: `get_data` with its ID and `load_rel_list`; attachments, if wanted, by `download_data_file`.
 * One item per item: the record simplified, or the service's object as it came, narrowed to the parts to return; for
 * the whole object not even `get_app` is needed. Items that name the same record share one answer.
 */
export const getRecord = readOperation({
  resource: 'record',
  value: 'get',
  name: 'Get',
  action: 'Get record',
  description: 'Read one record by its ID',
  properties: [applicationProperty, recordIdProperty, simplify.property],
  options: { downloadAttachments: downloadOption, loadReferenceLists, partsToReturn },
  async execute(item, options) {
    const { loadReferenceLists } = options;
    const isSimplified = item.get(simplify);
    // The service's own object is output unchanged, so its parts need not be known.
    if (!isSimplified && options.partsToReturn.length === 0 && !options.downloadAttachments) {
      const raw = await item.record(item.namedApplication(), readRecordId(item), loadReferenceLists);
      return [{ json: { ...raw } as IDataObject }];
    }
    const app = await item.application();
    const { parts } = app.application;
    const id = readRecordId(item);
    // Wrong options are reported before any request.
    recordPresenter(parts, null, options);
    const record = await item.record(app, id, loadReferenceLists);
    const keyMode = learnFrom(app, record);
    const present = recordPresenter(parts, keyMode, options);
    const simplified = present.simplify(record, id);
    const json = isSimplified ? simplified : present.raw(record);
    if (!options.downloadAttachments) return [{ json }];
    return await withAttachments(item, app, [{ json, simplified }], keyMode);
  },
});
