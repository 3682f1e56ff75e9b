import { keepBinary } from '../../common/presentation';
import { fileLocator, outputFieldProperty } from '../../common/properties';
import { downloadAttachment } from '../../service/read/attachments';
import { type PlacedFile, readFiles } from '../../service/read/records';
import { describeExisting } from '../../parts/values/describe';
import { allOf } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { readSeveral } from '../input/several';
import type { Item } from '../run/item';
import { type OutputItem, readOperation } from '../run/types';
import {
  type AttachmentTarget,
  describeFile,
  noSuchFiles,
  placeProperties,
  readAttachmentTarget,
} from './target';

/** How many files of one item are downloaded at the same time. Several items are also processed at the same time. */
const FILES_AT_ONCE = 2;

/**
 * Downloads files: a `get_data` for what the part holds, then a `download_data_file` with the URL of each, two at once,
 * streamed into n8n's binary store. One item a file, with its content; none for a part without files.
 * An ID that the part does not hold is an error, before anything is downloaded.
 */
export const downloadAttachments = readOperation({
  resource: 'attachment',
  value: 'download',
  name: 'Download',
  action: 'Download attachments',
  description: 'Download the files of an attachment part, one item per file',
  properties: [
    ...placeProperties('The row that contains the files. Leave it empty to get the files of all rows.'),
    fileLocator(
      'The file to download. By ID, you can enter several. Leave it empty to get all files of the part.',
      false,
    ),
    outputFieldProperty('file'),
  ],
  options: {},
  async execute(item) {
    const target = await readAttachmentTarget(item);
    const field = item.requiredText('binaryPropertyName', 'The name of the field for the file');
    const ids = readSeveral(item, 'attachmentIds');
    const files = await readFiles(target.app, target.recordId, target.place, target.rowId);
    const missing = ids.filter((id) => !files.some((file) => file.id === id));
    const there = files.map(({ id, name }) => `${id} (${name})`);
    if (missing.length > 0)
      throw new UserError(noSuchFiles(target, missing), describeExisting('files', there));
    const tasks = files
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .map((file) => async () => await download(item, target, file, field));
    return await allOf(tasks, FILES_AT_ONCE, item.run.context.getExecutionCancelSignal());
  },
});

async function download(
  item: Item,
  { app, recordId }: AttachmentTarget,
  file: PlacedFile,
  field: string,
): Promise<OutputItem> {
  const binary = await downloadAttachment(app.client, recordId, file, keepBinary(item.run.context));
  const json = describeFile(recordId, file, { mimeType: binary.mimeType, size: file.size ?? binary.bytes });
  return { json, binary: { [field]: binary } };
}
