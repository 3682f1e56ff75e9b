import { failIfNotFound } from '../../common/options';
import { applicationProperty } from '../../common/properties';
import { readFiles } from '../../service/read/attachments';
import { writeRecord } from '../../service/write/writeRecord';
import { UserError } from '../../util/userError';
import { askedOf } from '../input/recordWrites';
import { assertExplicitIds, readSeveral } from '../input/several';
import { writeOperation } from '../run/types';
import {
  assertRowGiven,
  attachmentIdsProperty,
  attachmentOptions,
  attachmentPartProperty,
  attachmentRecordProperty,
  attachmentRowProperty,
  fileUpdate,
  noSuchFiles,
  readTarget,
} from './target';

/** Attachment > Delete (interface.md, "update_data"): one file a request. */
export const deleteAttachments = writeOperation({
  resource: 'attachment',
  value: 'delete',
  name: 'Delete',
  action: 'Delete attachments',
  description: 'Remove files from an attachment part of a record, or of a row in a table part',
  properties: [
    applicationProperty,
    attachmentRecordProperty,
    attachmentPartProperty,
    attachmentRowProperty,
    { ...attachmentIdsProperty, required: true },
  ],
  options: { ...attachmentOptions, failIfNotFound },
  async read(item, options) {
    const target = await readTarget(item);
    assertRowGiven(target);
    const ids = readSeveral(item, 'attachmentIds');
    if (ids.length === 0) {
      throw new UserError(
        'The attachment IDs are empty',
        'Enter them, or check the expression that should return them: it was empty for this item.',
      );
    }
    assertExplicitIds(item, ids, 'files');
    const update = await fileUpdate(item, target, { add: [], remove: ids }, options);
    return { item, target, ids, update, failIfNotFound: options.failIfNotFound };
  },
  serialKeyOf: ({ target }) => target.app.serialKey(target.recordId),
  async run({ item, target, ids, update, failIfNotFound: fails }) {
    const { app, recordId, place, rowId } = target;
    const done = await writeRecord(app, update, item.checkpoint(askedOf(update)));
    const removed = (done.found?.removed ?? []) as string[];
    const notFound = ids.filter((id) => !removed.includes(id));
    if (fails && removed.length === 0)
      throw noSuchFiles(target, notFound, await readFiles(app, recordId, place, rowId));
    item.run.hints.tally('Files not found, so there was nothing to delete', notFound.length);
    item.run.hints.count('deleted', removed.length);
    const outcome = removed.length > 0 ? 'deleted' : 'notFound';
    return [{ json: { recordId, outcome, ids: removed, notFound } }];
  },
});
