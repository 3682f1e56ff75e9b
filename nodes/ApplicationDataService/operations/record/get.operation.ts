import { readPresentOptions, recordPresenter } from '../../service/present';
import { learnFrom, readRecord } from '../../service/records';
import { loadReferenceListsOption, outputOption, partsToReturnOption } from '../shared/options';
import { applicationProperty, optionsProperty, recordIdProperty } from '../shared/properties';
import type { ItemOperation } from '../types';

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
    optionsProperty([loadReferenceListsOption, outputOption, partsToReturnOption]),
  ],
  async execute(item) {
    const app = await item.application();
    const id = item.requiredText('recordId', 'The record ID');
    const options = readPresentOptions(item.options());
    const record = await readRecord(app, id, options.referenceListsLoaded);
    const present = recordPresenter(app.application.parts, learnFrom(app, record), options);
    return [{ json: present(record, id) }];
  },
};
