import { planCreate } from './creating';
import { writeContext } from '../input/keyMode';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { createOptions } from '../../common/options';
import { applicationProperty, optionsProperty, partsProperty } from '../../common/properties';
import type { CheckedOperation } from '../run/types';

/** Record > Create (interface.md, "insert_data"). */
export const createRecord: CheckedOperation = {
  resource: 'record',
  value: 'create',
  name: 'Create',
  action: 'Create a record',
  description: 'Add a record to an application',
  properties: [applicationProperty, partsProperty, optionsProperty(createOptions)],
  async prepare(item) {
    const app = await item.application();
    const context = await writeContext(item, app);
    const values = mappedValues(item, app.application.parts, context);
    assertValuesGiven(values);
    return planCreate(item, app, values, context);
  },
};
