import { autoAction, failIfNotFound } from '../../common/options';
import { fileLocator } from '../../common/properties';
import { writeRecord } from '../../service/write/writeRecord';
import { readSeveral } from '../input/several';
import { emptyParameter, noneFound } from '../../common/errors';
import type { Run } from '../run/item';
import { writeOperation } from '../run/types';
import { fileUpdate, noSuchFiles, placeProperties, readTarget } from './target';

/** The files that a run has removed: one that two items name is deleted once, and counts for both. */
const goneFiles = new WeakMap<Run, Set<string>>();

/** Attachment > Delete (interface.md, "update_data"): one file a request. */
export const deleteAttachments = writeOperation({
  resource: 'attachment',
  value: 'delete',
  name: 'Delete',
  action: 'Delete attachments',
  description: 'Remove files from an attachment part of a record, or of a row in a table part',
  properties: [...placeProperties(), fileLocator('The file to delete. By ID, you can enter several.')],
  options: { autoAction, failIfNotFound },
  async read(item, options) {
    const target = await readTarget(item);
    const ids = readSeveral(item, 'attachmentIds');
    if (ids.length === 0) throw emptyParameter('The list of attachment IDs');
    const update = await fileUpdate(item, target, { add: [], remove: ids }, options);
    return { item, target, ids, update, failIfNotFound: options.failIfNotFound };
  },
  serialKeyOf: ({ target }) => target.app.serialKey(target.recordId),
  async run({ item, target, ids, update, failIfNotFound: fails }) {
    const { app, recordId, place, rowId } = target;
    const done = await writeRecord(app, update, item.checkpoint(app, recordId, update.values));
    const gone = goneFiles.get(item.run) ?? new Set<string>();
    goneFiles.set(item.run, gone);
    const fileOf = (id: string): string =>
      JSON.stringify([app.application.id, recordId, place.part.id, rowId, id]);
    for (const id of (done.found?.removed ?? []) as string[]) gone.add(fileOf(id));
    const removed = ids.filter((id) => gone.has(fileOf(id)));
    const notFound = ids.filter((id) => !gone.has(fileOf(id)));
    if (fails && removed.length === 0) throw noneFound(noSuchFiles(target, notFound));
    item.run.hints.tally('Files not found, so there was nothing to delete', notFound.length);
    const outcome = removed.length > 0 ? 'deleted' : 'notFound';
    return [{ json: { recordId, outcome, ids: removed, notFound } }];
  },
});
