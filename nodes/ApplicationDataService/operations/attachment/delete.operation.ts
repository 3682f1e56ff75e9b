import { UserError } from '../../util/userError';
import { readFiles } from '../../service/read/attachmentFiles';
import type { CurrentRecord } from '../../service/read/current';
import { planRound, updateRecord, type Update } from '../../service/write/update';
import {
  attachmentIdsProperty,
  attachmentPartProperty,
  attachmentRecordProperty,
  attachmentRowProperty,
} from './attachmentProperties';
import { assertRowGiven, fileUpdate, readTarget, type AttachmentTarget } from './attachments';
import { autoActionOption, concurrencyOption, partKeyOption } from '../../common/options';
import { assertExplicitIds } from '../input/explicitIds';
import { applicationProperty, optionsProperty } from '../../common/properties';
import { readSeveral } from '../input/several';
import { finish, type WriteResult } from '../output/writeResult';
import type { CheckedOperation } from '../run/types';

/** Attachment > Delete (interface.md, "update_data"): one file a request, verified by reading. */
export const deleteAttachments: CheckedOperation = {
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
    optionsProperty([concurrencyOption, partKeyOption, autoActionOption]),
  ],
  async prepare(item) {
    const target = await readTarget(item);
    assertRowGiven(target);
    const ids = readSeveral(item, 'attachmentIds');
    if (ids.length === 0) {
      throw new UserError(
        'The attachment IDs are empty',
        'Enter them, or check the expression that should give them: it was empty for this item.',
      );
    }
    assertExplicitIds(item, ids, 'files');
    const asked = [target.recordId, target.place.part.id, target.rowId, ids];
    const update = await fileUpdate(item, target, { add: [], remove: ids });
    return async () => {
      const written = await item.once(asked, async () => await remove(target, update, ids));
      const valuesOf = (before: CurrentRecord) => planRound(update, before).values;
      await finish(item, target.app, asked, written, update, valuesOf);
      const { outcome, notFound, removed } = written;
      item.run.hints.count('deleted', removed.length);
      return [{ json: { recordId: target.recordId, outcome, ids: removed, notFound } }];
    };
  },
};

interface Removal extends WriteResult {
  removed: string[];
  notFound: string[];
}

async function remove(target: AttachmentTarget, update: Update, ids: readonly string[]): Promise<Removal> {
  const { app, recordId, place, rowId } = target;
  const there = new Set((await readFiles(app, recordId, place, rowId)).map(({ id }) => id));
  const removed = ids.filter((id) => there.has(id));
  const notFound = ids.filter((id) => !there.has(id));
  const { before } = removed.length === 0 ? {} : await updateRecord(app, update);
  const outcome = removed.length > 0 ? 'deleted' : 'notFound';
  return { id: recordId, outcome, removed, notFound, ...(before !== undefined && { before }) };
}
