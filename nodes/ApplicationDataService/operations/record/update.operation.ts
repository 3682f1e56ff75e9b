import type { INodeProperties } from 'n8n-workflow';

import { applicationProperty, changeNotice, partsProperty } from '../../common/properties';
import { recordIdProperty } from '../../common/recordLocator';
import { updateOptions } from '../../common/writeOptions';
import { assertChoicesOffered, assertValuesGiven, mappedValues, withEmptiedParts } from '../input/mapping';
import { assertMergeable, conflictPolicy, readRevision } from '../input/conflictPolicy';
import { readRecordId } from '../input/recordId';
import { readUpdate, writeContext } from '../input/recordWrites';
import { writeOperation } from '../run/types';
import { runUpdate } from './runUpdate';

const revisionProperty: INodeProperties = {
  displayName: 'Revision',
  name: 'revision',
  type: 'string',
  default: '={{ $json.revision }}',
  displayOptions: { show: { conflictPolicy: ['fail', 'skip', 'merge'] } },
  description: 'Revision of the record when the item was read',
};

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
    revisionProperty,
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
