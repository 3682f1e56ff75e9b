import { insertRecord } from '../../service/records';
import { buildWriteRequest } from '../../service/writeRequest';
import { assertSomethingToWrite, mappedValues } from '../shared/mapping';
import { keyModeForWriting } from '../shared/keyMode';
import {
  autoActionOption,
  concurrencyOption,
  ignoreUnknownOption,
  partKeyOption,
  relookupKeyPartsOption,
  returnRecordOption,
  timezoneOption,
} from '../shared/options';
import { applicationProperty, optionsProperty, partsProperty } from '../shared/properties';
import { loadUploads } from '../shared/uploads';
import { writeOptions } from '../shared/writeOptions';
import { presentWrite } from '../shared/writeResult';
import type { ItemOperation } from '../types';

/** Record > Create (interface.md, "insert_data"). */
export const createRecord: ItemOperation = {
  resource: 'record',
  value: 'create',
  name: 'Create',
  action: 'Create a record',
  description: 'Add a record to an application',
  properties: [
    applicationProperty,
    partsProperty,
    optionsProperty([
      concurrencyOption,
      ignoreUnknownOption,
      relookupKeyPartsOption,
      partKeyOption,
      returnRecordOption,
      autoActionOption,
      timezoneOption,
    ]),
  ],
  async execute(item) {
    const app = await item.application();
    const keyMode = await keyModeForWriting(item, app);
    const values = mappedValues(item, app.application.parts, keyMode);
    assertSomethingToWrite(values);
    const request = buildWriteRequest(values, keyMode);
    const options = writeOptions(item, app, values);
    const created = await item.once({ ...request, ...options }, async () => {
      const files = await loadUploads(item, request.uploads);
      return { id: await insertRecord(app, request.fields, files, options), outcome: 'created' };
    });
    return await presentWrite(item, app, keyMode, created);
  },
};
