import type { IDataObject } from 'n8n-workflow';

import { applicationProperty, changeNotice, partsProperty, recordIdProperty } from '../../common/properties';
import { updateOptions } from '../../common/options';
import type { ApplicationSession } from '../../service/application/session';
import type { Checkpoint } from '../../service/write/checkpoint';
import type { Update } from '../../service/write/update';
import { planRecord, writeRecord } from '../../service/write/writeRecord';
import { assertChoicesOffered, assertValuesGiven, mappedValues, withEmptiedParts } from '../input/mapping';
import { readRecordId } from '../input/several';
import {
  askedOf,
  readUpdate,
  writeContext,
  assertMergeable,
  conflictPolicy,
  readRevision,
} from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import type { Item } from '../run/item';
import { writeOperation } from '../run/types';

/** Record > Update (interface.md, "update_data"). */
export const updateRecord = writeOperation({
  resource: 'record',
  value: 'update',
  name: 'Update',
  action: 'Update a record',
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
    const app = await item.application();
    const id = readRecordId(item);
    const policy = item.get(conflictPolicy);
    assertMergeable(item, policy);
    const revision = policy === 'overwrite' ? null : readRevision(item);
    const context = await writeContext(item, app);
    const { parts } = app.application;
    const mapped = mappedValues(item, parts, context, options.ignoreUnknown);
    await assertChoicesOffered(app, id, mapped, context);
    const change = withEmptiedParts(mapped, parts, options.partsToEmpty, context);
    assertValuesGiven([...change.values, ...change.emptied]);
    const update = readUpdate(item, app, { id, policy, revision }, change, context, options);
    return { item, app, options, update };
  },
  serialKeyOf: ({ app, update }) => app.serialKey(update.id),
  async run({ item, app, options, update }) {
    return [{ json: await runUpdate(item, app, update, options) }];
  },
});

/** Changes a record as the item says, or shows what would be sent. */
export async function runUpdate(
  item: Item,
  app: ApplicationSession,
  update: Update,
  { dryRun, returnRecord }: { readonly dryRun: boolean; readonly returnRecord: boolean },
  checkpoint: Checkpoint = item.checkpoint(askedOf(update)),
): Promise<IDataObject> {
  const { id, context } = update;
  if (dryRun) {
    const { plan, current } = await planRecord(app, update);
    return { id, ...presentDryRun(app, update, plan, current) };
  }
  const done = await writeRecord(app, update, checkpoint);
  return await presentWritten(item, app, context.keyMode, done, returnRecord);
}
