import { applicationProperty } from '../../common/properties';
import { readText } from '../../parts/values/shapes';
import { updateWrite } from '../../service/write/update';
import { writeRecord } from '../../service/write/writeRecord';
import { UserError } from '../../util/userError';
import { expressedFiles } from '../input/binaryFiles';
import { readSeveral } from '../input/several';
import { noteAltered } from '../output/written';
import { writeOperation } from '../run/types';
import {
  assertRowGiven,
  attachmentOptions,
  attachmentPartProperty,
  attachmentRecordProperty,
  attachmentRowProperty,
  fileUpdate,
  readTarget,
} from './target';

/** Attachment > Upload (interface.md, "update_data"), streamed and verified by reading. */
export const uploadAttachments = writeOperation({
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
    {
      displayName: 'Input Binary Field',
      name: 'binaryPropertyName',
      type: 'string',
      default: 'data',
      required: true,
      placeholder: 'e.g. data or data, photo',
      hint: 'The name of the input binary field containing the file to be uploaded. Separate several names with commas.',
    },
  ],
  options: attachmentOptions,
  async read(item, options) {
    const files = expressedFiles(item.value('binaryPropertyName', ''));
    item.binary = { ...item.binary, ...files };
    const target = await readTarget(item);
    assertRowGiven(target);
    const add = [...readSeveral(item, 'binaryPropertyName', fieldName), ...Object.keys(files)];
    if (add.length === 0) throw noField();
    const asked = [target.recordId, target.place.part.id, target.rowId, add];
    return { item, target, asked, update: await fileUpdate(item, target, { add, remove: [] }, options) };
  },
  serialKeyOf: ({ target }) => target.app.serialKey(target.recordId),
  async run({ item, target: { app, recordId }, asked, update }) {
    const done = await writeRecord(app, updateWrite(update), item.checkpoint(asked));
    const { outcome, files = [], altered = [] } = done;
    item.run.hints.count('uploaded', files.length);
    noteAltered(item, done);
    return [{ json: { recordId, outcome, files, ...(altered.length > 0 && { altered }) } }];
  },
});

/** The name of a field; empty for files, which are not named. */
function fieldName(given: unknown): string {
  if (typeof given !== 'object' || given === null) return readText(given);
  if (Object.keys(expressedFiles(given)).length > 0) return '';
  throw noField();
}

function noField(): UserError {
  return new UserError('No binary field is named', 'Enter the name of the field that holds the file.');
}
