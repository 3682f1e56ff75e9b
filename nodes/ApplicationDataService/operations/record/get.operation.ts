import type { IDataObject } from 'n8n-workflow';

import { recordPresenter } from '../../common/presentation';
import { learnFrom } from '../../service/read/records';
import { downloadOption, loadReferenceLists, partsToReturn, simplify } from '../../common/options';
import { applicationProperty, recordIdProperty } from '../../common/properties';
import { readRecordId } from '../input/several';
import { withAttachments } from '../output/recordFiles';
import { readOperation } from '../run/types';

/** Record > Get (interface.md, "get_data"). */
export const getRecord = readOperation({
  resource: 'record',
  value: 'get',
  name: 'Get',
  action: 'Get a record',
  description: 'Read one record by its ID',
  properties: [applicationProperty, recordIdProperty, simplify.property],
  options: { downloadAttachments: downloadOption, loadReferenceLists, partsToReturn },
  async execute(item, chosen) {
    const options = { ...chosen, simplify: item.get(simplify) };
    const { loadReferenceLists } = options;
    // The service's own object is output unchanged, so its parts need not be known.
    if (!options.simplify && options.partsToReturn.length === 0 && !options.downloadAttachments) {
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
    const json = recordPresenter(parts, keyMode, options)(record, id);
    const simplified = () =>
      options.simplify ? json : recordPresenter(parts, keyMode, { ...options, simplify: true })(record, id);
    if (!options.downloadAttachments) return [{ json }];
    return await withAttachments(item, app, [{ json, simplify: simplified }], keyMode);
  },
});
