import { UserError } from '../../util/userError';
import { planRound, updateRecord, settleUpdate } from '../../service/write/update';
import {
  attachmentPartProperty,
  attachmentRecordProperty,
  attachmentRowProperty,
  inputFieldsProperty,
} from './attachmentProperties';
import { assertRowGiven, fileUpdate, readTarget } from './attachments';
import { autoActionOption, concurrencyOption, partKeyOption } from '../../common/options';
import { applicationProperty, optionsProperty } from '../../common/properties';
import { readSeveral } from '../input/several';
import { expressedFiles } from '../input/uploads';
import { finish, type WriteResult } from '../output/writeResult';
import type { CheckedOperation } from '../run/types';

/** Attachment > Upload (interface.md, "update_data"), streamed and verified by reading. */
export const uploadAttachments: CheckedOperation = {
  resource: 'attachment',
  value: 'upload',
  name: 'Upload',
  action: 'Upload attachments',
  description: 'Add files to an attachment part of a record, or of a row in a table part',
  properties: [
    applicationProperty,
    attachmentRecordProperty,
    attachmentPartProperty,
    attachmentRowProperty,
    inputFieldsProperty,
    optionsProperty([concurrencyOption, partKeyOption, autoActionOption]),
  ],
  async prepare(given) {
    const files = expressedFiles(given.value('binaryPropertyName', ''));
    const item = given.withFiles(files);
    const target = await readTarget(item);
    assertRowGiven(target);
    const add = [...readSeveral(item, 'binaryPropertyName'), ...Object.keys(files)];
    if (add.length === 0) {
      throw new UserError('No binary field is named', 'Enter the name of the field that holds the file.');
    }
    const { app, recordId } = target;
    const update = await fileUpdate(item, target, { add, remove: [] });
    const asked = [recordId, target.place.part.id, target.rowId, add];
    return async () => {
      const written = await item.once<WriteResult>(
        asked,
        async () => ({ id: recordId, ...(await updateRecord(app, update)) }),
        async (doubt) => ({ id: recordId, ...(await settleUpdate(app, update, doubt)) }),
      );
      const valuesOf = (before: NonNullable<WriteResult['before']>) => planRound(update, before).values;
      const uploaded = await finish(item, app, asked, written, update, valuesOf);
      item.run.hints.count('uploaded', uploaded.length);
      return [
        { json: { recordId, outcome: written.outcome, files: written.before ? uploaded : written.files } },
      ];
    };
  },
};
