import { readFiles } from '../../service/read/records';
import { readOperation } from '../run/types';
import { describeFile, placeProperties, readAttachmentTarget } from './target';

/**
 * Lists the files of a part, or of that part in one row or all rows of a table part: `get_data` with the record's ID.
 * One item a file, as Download gives it, but without its content; none for a part without files.
 */
export const getManyAttachments = readOperation({
  resource: 'attachment',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many attachments',
  description: 'List the files of an attachment part, one item per file, without their content',
  properties: placeProperties(
    'The row that contains the files. Leave it empty to get the files of all rows.',
  ),
  options: {},
  async execute(item) {
    const { app, recordId, place, rowId } = await readAttachmentTarget(item);
    item.run.hints.sameQuestion(['files', app.reference, recordId, place.part.id, rowId]);
    const files = await readFiles(app, recordId, place, rowId);
    return files.map((file) => ({ json: describeFile(recordId, file, file) }));
  },
});
