import type { INodeProperties } from 'n8n-workflow';

import { writeContext } from '../input/keyMode';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { updateOptions } from '../../common/options';
import {
  applicationProperty,
  optionsProperty,
  partsProperty,
  recordIdProperty,
} from '../../common/properties';
import { assertMergeable, conflictPolicyProperty, readPolicy, readRevision } from '../input/updatePolicy';
import { planUpdate, withEmptiedParts } from './updating';
import type { CheckedOperation } from '../run/types';

const revisionProperty: INodeProperties = {
  displayName: 'Revision',
  name: 'revision',
  type: 'string',
  default: '={{ $json.revision }}',
  displayOptions: { show: { conflictPolicy: ['fail', 'skip', 'merge'] } },
  description: 'Revision that the record had when the item was read',
};

/** Record > Update (interface.md, "update_data"). */
export const updateRecordOperation: CheckedOperation = {
  resource: 'record',
  value: 'update',
  name: 'Update',
  action: 'Update a record',
  description: 'Change parts of a record',
  properties: [
    applicationProperty,
    recordIdProperty,
    partsProperty,
    conflictPolicyProperty,
    revisionProperty,
    optionsProperty(updateOptions),
  ],
  async prepare(item) {
    const app = await item.application();
    const id = item.requiredText('recordId', 'The record ID');
    const policy = readPolicy(item);
    assertMergeable(item, policy);
    const revision = policy === 'overwrite' ? null : readRevision(item);
    const context = await writeContext(item, app);
    const mapped = mappedValues(item, app.application.parts, context);
    const change = withEmptiedParts(item, app, mapped, context);
    assertValuesGiven([...change.values, ...change.emptied]);
    return planUpdate(item, app, { id, ...change, policy, revision, context });
  },
};
