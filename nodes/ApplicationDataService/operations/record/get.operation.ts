import { learnFrom, readRecord } from '../../service/records';
import { loadReferenceListsOption, outputOption, partsToReturnOption } from '../shared/options';
import { applicationProperty, optionsProperty, recordIdProperty } from '../shared/properties';
import { recordPresenter } from '../shared/recordOutput';
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
    const record = await readRecord(app, id, item.options().loadReferenceLists !== false);
    const present = recordPresenter(item, app, learnFrom(app, record));
    return [{ json: present(record, id) }];
  },
};
