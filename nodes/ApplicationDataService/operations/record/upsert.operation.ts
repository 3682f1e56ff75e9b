import { upsertOptions } from '../../common/writeOptions';
import { applicationProperty, changeNotice, matchedPartsProperty } from '../../common/properties';
import { conflictPolicy } from '../input/conflictPolicy';
import { writeOperation } from '../run/types';
import { matchKeyOf, matchRecords, turnOf } from './upsertMatches';
import { readUpsert } from './upsertRead';
import { runUpsert } from './upsertRun';

/** Record > Create or Update: exactly one match is updated, none is created, several are an error. */
export const upsertRecord = writeOperation({
  resource: 'record',
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update a record',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  properties: [applicationProperty, changeNotice, matchedPartsProperty, conflictPolicy.property],
  options: upsertOptions,
  read: readUpsert,
  ahead: { keyOf: matchKeyOf, find: matchRecords },
  turnOf,
  async run(work) {
    return [{ json: await runUpsert(work) }];
  },
});
