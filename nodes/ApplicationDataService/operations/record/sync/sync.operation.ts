import { applicationProperty, changeNotice, matchedPartsProperty } from '../../../common/properties';
import { writeOperation } from '../../run/types';
import { planSync } from './planSync';
import { readSync, removalProperties, syncOptions } from './readSync';
import { removeMissing } from './removeMissing';
import { runSync } from './runSync';

/** Record > Sync: makes the application match the input, all items together. */
export const syncRecords = writeOperation({
  resource: 'record',
  value: 'sync',
  name: 'Sync',
  action: 'Sync records with a list',
  description: 'Create, update and optionally delete records so that the application matches the input',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, ...removalProperties],
  options: syncOptions,
  read: readSync,
  prepare: { find: planSync, endsRun: true },
  run: runSync,
  finalize: removeMissing,
});
