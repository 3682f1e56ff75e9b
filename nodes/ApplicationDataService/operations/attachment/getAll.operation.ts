import { readFiles } from '../../service/read/records';
import { readOperation } from '../run/types';
import { describeFile, placeProperties, readAttachmentTarget } from './target';

/** Attachment > Get Many (interface.md, "get_data"). */
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
