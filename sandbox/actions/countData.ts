import type { Call } from '../call/call.ts';
import { countOf } from '../parts/shapes.ts';
import { readQuery } from '../records/find/query.ts';
import { countRecords } from '../records/find/search.ts';
import type { Workbench } from '../records/workbench.ts';
import { runningApplication, type Action, type Answer } from './action.ts';
import { readFields } from './fields.ts';

/** count_data (interface.md, "count_data (data count)"). */
export const countData: Action = {
  name: 'count_data',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application } = runningApplication(call, workbench);
    const fields = readFields(call, application);
    const query = readQuery(call, workbench, application, fields?.parts);
    const count = countRecords(workbench.storage, application.id, query);
    return { body: { allcnt: countOf(count, workbench.dialect) } };
  },
};
