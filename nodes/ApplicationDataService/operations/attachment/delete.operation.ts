import { failIfNotFound } from '../../common/options';
import { applicationProperty } from '../../common/properties';
import type { ApplicationSession } from '../../service/application/session';
import { filesAt } from '../../service/read/attachments';
import type { RecordWrite } from '../../service/write/attempts';
import { type Update, updateWrite } from '../../service/write/update';
import { writeRecord } from '../../service/write/writeRecord';
import { UserError } from '../../util/userError';
import { assertExplicitIds, readSeveral } from '../input/several';
import { noteAltered } from '../output/written';
import { writeOperation } from '../run/types';
import {
  assertRowGiven,
  attachmentIdsProperty,
  attachmentOptions,
  attachmentPartProperty,
  attachmentRecordProperty,
  attachmentRowProperty,
  type AttachmentTarget,
  fileUpdate,
  noSuchFiles,
  readTarget,
} from './target';

/** Attachment > Delete (interface.md, "update_data"): one file a request, verified by reading. */
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
    const asked = [recordId, place.part.id, rowId, ids];
    const done = await writeRecord(app, removal(target, update, ids), item.checkpoint(asked));
    const { removed, notFound, there = [] } = done.found as unknown as Found;
    const known = removedFrom(target);
    removed.forEach((id) => known.add(id));
    noteAltered(item, done);
    if (fails && removed.length === 0) throw noSuchFiles(target, notFound, there);
    item.run.hints.tally('Files not found, so there was nothing to delete', notFound.length);
    item.run.hints.count('deleted', removed.length);
    const outcome = removed.length > 0 ? 'deleted' : 'notFound';
    return [{ json: { recordId, outcome, ids: [...removed], notFound: [...notFound] } }];
  },
});

/** Which of the files to remove the record contains. */
interface Found {
  readonly removed: readonly string[];
  readonly notFound: readonly string[];
  /** The existing files, if none of the files to remove exists. */
  readonly there?: readonly { readonly id: string; readonly name: string }[];
}

/** The IDs of files that the items of a run have removed, by application and place. */
const removedFiles = new WeakMap<ApplicationSession, Map<string, Set<string>>>();

/** What this run has removed from a place: a file that two items name counts for both. */
function removedFrom({ app, recordId, place, rowId }: AttachmentTarget): Set<string> {
  const places = removedFiles.get(app) ?? new Map<string, Set<string>>();
  const key = JSON.stringify([recordId, place.part.id, rowId]);
  const ids = places.get(key) ?? new Set<string>();
  removedFiles.set(app, places.set(key, ids));
  return ids;
}

/** The removal of the files that exist. */
function removal(target: AttachmentTarget, update: Update, ids: readonly string[]): RecordWrite {
  const { place, rowId } = target;
  const write = updateWrite(update);
  return {
    ...write,
    plan: (current, before) => {
      if (current === null) throw new Error('The record was not read');
      const files = filesAt(current.record, update.parts, place, update.context.keyMode, rowId);
      const there = files.map(({ id, name }) => ({ id, name }));
      const known = new Set([...there.map(({ id }) => id), ...removedFrom(target)]);
      const removed = ids.filter((id) => known.has(id));
      const notFound = ids.filter((id) => !known.has(id));
      if (removed.length > 0) return { ...write.plan(current, before), found: { removed, notFound } };
      const { revision } = current;
      return {
        outcome: 'unchanged',
        guard: 'node',
        revision,
        values: [],
        found: { removed, notFound, there },
      };
    },
  };
}
