import { applicationProperty, changeNotice, partsProperty, recordIdProperty } from '../../common/properties';
import { updateOptions } from '../../common/options';
import { strictChoice } from '../../common/setting';
import { readText } from '../../parts/values/shapes';
import type { ConflictPolicy } from '../../service/write/update';
import { planRecord, writeRecord } from '../../service/write/writeRecord';
import { UserError } from '../../util/userError';
import {
  assertChoicesOffered,
  assertValuesGiven,
  mappedValues,
  mapsAutomatically,
  readWriting,
  updateOf,
} from '../input/recordWrites';
import { uploadsOf } from '../input/binaryFiles';
import { readRecordId } from '../input/several';
import { presentDryRun, presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { writeOperation } from '../run/types';

export const conflictPolicy = strictChoice<ConflictPolicy>({
  displayName: 'If the Record Was Changed',
  name: 'conflictPolicy',
  type: 'options',
  options: [
    {
      name: 'Fail',
      value: 'fail',
      description: 'Write nothing and fail with an error that names the differences',
    },
    {
      name: 'Merge',
      value: 'merge',
      description: 'Write if nobody changed the same parts since the item was read; otherwise fail',
    },
    { name: 'Overwrite', value: 'overwrite', description: 'Write anyway; the last writer wins' },
    {
      name: 'Skip',
      value: 'skip',
      description: 'Write nothing and return the outcome "conflict"',
    },
  ],
  default: 'overwrite',
  description: 'What to do if someone changed the record after the item was read',
});

/**
 * Changes a record: `update_data` with its ID, the values, and a revision: 0, which checks nothing, or the one that the
 * conflict policy, rows or files need. What has to be compared is read first by `get_data`, and after a conflict again.
 * An answer that was lost is judged by the table in service/write/verdict.ts. One item per item: ID and outcome, after
 * Return Record the record as well; in a dry run the request and the changes.
 */
export const updateRecord = writeOperation({
  resource: 'record',
  value: 'update',
  name: 'Update',
  action: 'Update record',
  description: 'Change parts of a record',
  properties: [
    applicationProperty,
    recordIdProperty,
    changeNotice,
    partsProperty,
    conflictPolicy.property,
    {
      displayName: 'Revision',
      name: 'revision',
      type: 'string',
      default: '={{ $json.revision }}',
      displayOptions: { show: { conflictPolicy: ['fail', 'skip', 'merge'] } },
      description: 'Revision of the record when the item was read',
    },
  ],
  options: updateOptions,
  async read(item, options) {
    const writing = await readWriting(item);
    const id = readRecordId(item);
    const policy = item.get(conflictPolicy);
    assertMergeable(item, policy);
    const revision = policy === 'overwrite' ? null : readRevision(item);
    const values = mappedValues(writing, options);
    await assertChoicesOffered(writing, id, values);
    assertValuesGiven(values);
    const contents = await uploadsOf(item, values);
    const update = { ...updateOf(writing, { id, contents }, values, options), policy, revision };
    return { item, app: writing.app, options, update };
  },
  serialKeyOf: ({ app, update }) => app.serialKey(update.id),
  async run({ item, app, options, update }) {
    const { id, context, policy, revision, rowMode } = update;
    if (options.dryRun) {
      const planned = await planRecord(app, update);
      return [{ json: { id, ...presentDryRun(app, update, planned, planned.current) } }];
    }
    const progress = await writeRecord(
      app,
      update,
      item.checkpoint(app, id, [update.values, policy, revision, rowMode]),
    );
    return [{ json: await presentWritten(app, context.keyMode, progress, options.returnRecord) }];
  },
});

/** @throws UserError when it is no revision: without one nothing could be guarded. */
function readRevision(item: Item): number {
  const text = readText(item.value('revision', '')).trim();
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UserError(
    text === '' ? 'The revision is empty' : `"${text}" is not a valid revision`,
    'Enter the revision that the record had when it was read, for example {{ $json.revision }}, or select Overwrite.',
  );
}

/** @throws UserError where Merge cannot know which values the item was read with. */
export function assertMergeable(item: Item, policy: ConflictPolicy): void {
  if (policy !== 'merge' || !mapsAutomatically(item)) return;
  throw new UserError(
    'Merge does not work with Map Automatically',
    'The input then contains the new values, so the values that were read are unknown. Map the parts one by one.',
  );
}
