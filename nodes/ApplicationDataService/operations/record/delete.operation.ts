import { failIfNotFound } from '../../common/options';
import { dryRun } from '../../common/writeOptions';
import { applicationProperty } from '../../common/properties';
import { recordIdsProperty } from '../../common/recordLocator';
import { UserError } from '../../util/userError';
import { assertExplicitIds } from '../input/explicitIds';
import { readRecordIds } from '../input/recordId';
import type { Item } from '../run/item';
import { groupOperation } from '../run/types';
import { deleteTogether } from './deleteTogether';

/** Record > Delete (interface.md, "delete_data"). */
export const deleteRecord = groupOperation({
  resource: 'record',
  value: 'delete',
  name: 'Delete',
  action: 'Delete a record',
  description: 'Delete one or more records',
  properties: [applicationProperty, recordIdsProperty],
  options: { dryRun, failIfNotFound },
  async read(item, options) {
    const ids = readIds(item);
    return { item, app: await item.application(), ids, isDryRun: options.dryRun, ...options };
  },
  turnOf: ({ app, isDryRun }) => JSON.stringify([app.application.id, isDryRun]),
  // All records of an application are deleted together.
  groupOf: () => '',
  runGroup: deleteTogether,
});

/** @throws UserError if the item names no id, or something that cannot be one. */
function readIds(item: Item): string[] {
  const ids = readRecordIds(item);
  assertExplicitIds(item, ids, 'records');
  const wrong = ids.find((id) => !/^[\w-]+$/.test(id));
  if (wrong === undefined) return ids;
  throw new UserError(
    `"${wrong}" is not a record ID`,
    'Enter several IDs as a comma-separated list or an array.',
  );
}
