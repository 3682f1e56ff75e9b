import { readPresentOptions, recordPresenter } from '../../common/presentation';
import { learnFrom, readRecord } from '../../service/read/records';
import { downloadAttachmentsOption, loadReferenceListsOption, outputOption } from '../../common/options';
import { applicationProperty, optionsProperty, recordIdProperty } from '../../common/properties';
import { partsToReturnOption } from '../../common/queryProperties';
import { readOnce } from '../run/readOnce';
import { withAttachments } from '../output/recordFiles';
import type { ItemOperation } from '../run/types';

/** Record > Get (interface.md, "get_data"). */
export const getRecord: ItemOperation = {
  resource: 'record',
  value: 'get',
  name: 'Get',
  action: 'Get a record',
  description: 'Read one record by its ID',
  properties: [
    applicationProperty,
    recordIdProperty,
    optionsProperty([downloadAttachmentsOption, loadReferenceListsOption, outputOption, partsToReturnOption]),
  ],
  async execute(item) {
    const app = await item.application();
    const { parts } = app.application;
    const id = item.requiredText('recordId', 'The record ID');
    const options = readPresentOptions(item.options());
    // What is wrong with the options is said before anything is asked.
    recordPresenter(parts, null, options);
    const record = await readOnce(
      item,
      ['get_data', app.reference, id, options.referenceListsLoaded],
      async () => await readRecord(app, id, options.referenceListsLoaded),
    );
    const keyMode = learnFrom(app, record);
    const json = recordPresenter(parts, keyMode, options)(record, id);
    const simplify = () =>
      options.raw ? recordPresenter(parts, keyMode, { ...options, raw: false })(record, id) : json;
    return await withAttachments(item, app, [{ json, simplify }], keyMode);
  },
};
