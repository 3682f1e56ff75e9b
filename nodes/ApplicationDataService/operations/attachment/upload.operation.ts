import { autoAction } from '../../common/options';
import type { EncodedPart } from '../../parts/encode';
import { readText } from '../../parts/values/shapes';
import { writeRecord } from '../../service/write/writeRecord';
import { UserError } from '../../util/userError';
import { expressedFiles, uploadsOf } from '../input/binaryFiles';
import { updateOf } from '../input/recordWrites';
import { readSeveral } from '../input/several';
import { writeOperation } from '../run/types';
import { placeProperties, readAttachmentTarget, writingTo } from './target';

/**
 * Adds the item's binary files to a part: a `get_data`, so that a file which is there is not sent again, then an
 * `update_data` in multipart form, streamed from n8n's store; of a part in a table part, with all rows as they stand.
 * One item per item: the record's ID, the outcome, and the names of the files as they were sent.
 */
export const uploadAttachments = writeOperation({
  resource: 'attachment',
  value: 'upload',
  name: 'Upload',
  action: 'Upload attachments',
  description: 'Add files to an attachment part of a record, or of a row in a table part',
  properties: [
    ...placeProperties(),
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
  options: { autoAction },
  async read(item, options) {
    const expressed = expressedFiles(item.value('binaryPropertyName', ''));
    item.binary = { ...item.binary, ...expressed };
    const target = await readAttachmentTarget(item);
    const add = [...readSeveral(item, 'binaryPropertyName', fieldName), ...Object.keys(expressed)];
    if (add.length === 0) throw noField();
    const writing = await writingTo(item, target);
    const { place, recordId: id, rowId } = target;
    const files: EncodedPart = { part: place.part, value: { kind: 'files', add, remove: [] } };
    const values: EncodedPart[] =
      place.table === null
        ? [files]
        : [{ part: place.table, value: { kind: 'rows', rows: [{ id: rowId, values: [files] }] } }];
    const contents = await uploadsOf(item, values);
    const update = updateOf(writing, { id, contents }, values, { ...options, skipUnchanged: true });
    return { item, target, files: add.map((name) => update.contents.get(name)!.fileName), update };
  },
  serialKeyOf: ({ target }) => target.app.serialKey(target.recordId),
  async run({ item, target: { app, recordId }, files, update }) {
    const { items } = await writeRecord(app, update, item.checkpoint(app, recordId, update.values));
    return [{ json: { recordId, outcome: items[0]!.outcome, files } }];
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
