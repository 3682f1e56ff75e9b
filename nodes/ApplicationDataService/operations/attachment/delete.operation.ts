import { failIfNotFound } from '../../common/options';
import { applicationProperty, fileLocator } from '../../common/properties';
import type { ApplicationSession } from '../../service/application/session';
import { writeRecord } from '../../service/write/writeRecord';
import { readSeveral } from '../input/several';
import { emptyParameter } from '../../common/errors';
import { writeOperation } from '../run/types';
import {
  assertRowGiven,
  type AttachmentTarget,
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
    fileLocator('The file to delete. By ID, you can enter several.'),
  ],
  options: { ...attachmentOptions, failIfNotFound },
  async read(item, options) {
    const target = await readTarget(item);
    assertRowGiven(target);
    const ids = readSeveral(item, 'attachmentIds');
    if (ids.length === 0) throw emptyParameter('The list of attachment IDs');
    const update = await fileUpdate(item, target, { add: [], remove: ids }, options);
    return { item, target, ids, update, failIfNotFound: options.failIfNotFound };
  },
  serialKeyOf: ({ target }) => target.app.serialKey(target.recordId),
  async run({ item, target, ids, update, failIfNotFound: fails }) {
    const { app, recordId } = target;
    const done = await writeRecord(app, update, item.checkpoint(app, recordId, update.values));
    const gone = goneIn(target);
    for (const id of (done.found?.removed ?? []) as string[]) gone.add(id);
    const removed = ids.filter((id) => gone.has(id));
    const notFound = ids.filter((id) => !gone.has(id));
    if (fails && removed.length === 0)
      throw noSuchFiles(target, notFound, 'Check the ID, or turn off "Fail If Not Found" in the options.');
    item.run.hints.tally('Files not found, so there was nothing to delete', notFound.length);
    const outcome = removed.length > 0 ? 'deleted' : 'notFound';
    return [{ json: { recordId, outcome, ids: removed, notFound } }];
  },
});

/** The IDs of the files that a run has removed, by record, part and row. */
const goneFiles = new WeakMap<ApplicationSession, Map<string, Set<string>>>();

/** Those of one place: a file that two items name is deleted once, and counts for both. */
function goneIn({ app, recordId, place, rowId }: AttachmentTarget): Set<string> {
  const places = goneFiles.get(app) ?? new Map<string, Set<string>>();
  const key = JSON.stringify([recordId, place.part.id, rowId]);
  const ids = places.get(key) ?? new Set<string>();
  goneFiles.set(app, places.set(key, ids));
  return ids;
}
