import { autoAction, failIfNotFound } from '../../common/options';
import { fileLocator } from '../../common/properties';
import { emptyParameter, noneFound } from '../../common/errors';
import type { ItemOutcome } from '../../service/write/checkpoint';
import type { NonEmpty } from '../../util/groupBy';
import { NO_FILES } from '../input/binaryFiles';
import { updateOf } from '../input/recordWrites';
import { readSeveral } from '../input/several';
import { type ChangeWork, together, writeTogether } from '../input/together';
import { groupOperation, type Outcome } from '../run/types';
import {
  type AttachmentTarget,
  noSuchFiles,
  placeProperties,
  readAttachmentTarget,
  writingTo,
} from './target';

interface FileRemovalWork extends ChangeWork {
  readonly target: AttachmentTarget;
  readonly options: { readonly failIfNotFound: boolean };
}

/**
 * Removes files by their IDs: a `get_data` for what is there, then an `update_data` for each file, with
 * `del_attachment_id` and the revision just read; of a part in a table part, with all rows as they stand. Items of one
 * record share the look. One item per item: the IDs that were removed, and those that were not there.
 */
export const deleteAttachments = groupOperation({
  resource: 'attachment',
  value: 'delete',
  name: 'Delete',
  action: 'Delete attachments',
  description: 'Remove files from an attachment part of a record, or of a row in a table part',
  properties: [...placeProperties(), fileLocator('The file to delete. By ID, you can enter several.', true)],
  options: { autoAction, failIfNotFound },
  async read(item, options): Promise<FileRemovalWork> {
    const target = await readAttachmentTarget(item);
    const ids = readSeveral(item, 'attachmentIds');
    if (ids.length === 0) throw emptyParameter('The list of attachment IDs');
    const writing = await writingTo(item, target);
    const { app, place, recordId: id, rowId } = target;
    const row = place.table !== null && { row: { table: place.table, id: rowId } };
    const change = { kind: 'removeFiles', part: place.part, ids, ...row } as const;
    const update = updateOf(writing, { id, contents: NO_FILES }, [], { ...options, skipUnchanged: true });
    return { item, app, target, options, change, update };
  },
  ...together,
  async runGroup(works: NonEmpty<FileRemovalWork>) {
    const { outcomes } = await writeTogether(works);
    return works.map((work, index) => presentRemoval(work, outcomes[index]!));
  },
});

/** The output of an item. It says which files did not exist, or fails if the options say so. */
function presentRemoval({ item, target, options }: FileRemovalWork, own: ItemOutcome): Outcome {
  const { outcome, ids = [], notFound = [] } = own;
  if (options.failIfNotFound && outcome === 'notFound')
    return { error: noneFound(noSuchFiles(target, notFound)) };
  item.run.hints.tally('Files not found, so there was nothing to delete', notFound.length);
  const deleted = outcome === 'deleted';
  const { recordId } = target;
  return { value: [{ json: { deleted, recordId, outcome, ids: [...ids], notFound: [...notFound] } }] };
}
