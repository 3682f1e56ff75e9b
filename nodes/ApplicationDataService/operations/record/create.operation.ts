import { createOptions } from '../../common/options';
import { applicationProperty, createNotice, partsProperty } from '../../common/properties';
import { insertRecord } from '../../service/write/insert';
import { uploadsOf } from '../input/binaryFiles';
import { insertOf, mappedValues, readWriting } from '../input/recordWrites';
import { presentDryRun, presentWritten } from '../output/written';
import { writeOperation } from '../run/types';

/**
 * Adds a record: `insert_data` with the values under the application's part keys, files in multipart form, and the
 * options as form fields. A request whose answer was lost is not repeated: outcome unknown.
 * One item per item: the new ID with the outcome, after Return Record all that `get_data` gives; in a dry run nothing
 * is sent, and the item is the request.
 */
export const createRecord = writeOperation({
  resource: 'record',
  value: 'create',
  name: 'Create',
  action: 'Create record',
  description: 'Add a record to an application',
  properties: [applicationProperty, createNotice, partsProperty],
  options: createOptions,
  async read(item, options) {
    const writing = await readWriting(item, options.partKey);
    const values = mappedValues(writing, options);
    const { app, context } = writing;
    const insert = insertOf(writing, { values, context, contents: await uploadsOf(item, values) }, options);
    return { item, app, options, insert };
  },
  async run({ item, app, options, insert }) {
    const { values, context } = insert;
    if (options.dryRun) return [{ json: presentDryRun(app, insert, { outcome: 'created', values }, null) }];
    const progress = await insertRecord(app, insert, null, item.checkpoint(app, '', values));
    return [{ json: await presentWritten(app, context.keyMode, progress, options.returnRecord) }];
  },
});
