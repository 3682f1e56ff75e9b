import type { Call } from '../call/call.ts';
import type { Workbench } from '../records/workbench.ts';
import { namedRecord, runningApplication, type Action, type Answer } from './action.ts';

/** get_data (interface.md, "get_data (data reference)"). */
export const getData: Action = {
  name: 'get_data',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application, access } = runningApplication(call, workbench);
    const relatedLists = call.parameters.oneOf('load_rel_list', ['on', 'off'], 'on') === 'on';
    const record = namedRecord(call, workbench, application, access);
    const reading = { parts: application.parts, revision: true, permissions: true, relatedLists };
    return { members: `"record":${workbench.reader(call, application, reading).write(record)}` };
  },
};
