import type { Call } from '../call/call.ts';
import { idOf } from '../parts/shapes.ts';
import type { Workbench } from '../records/workbench.ts';
import type { Action, Answer } from './action.ts';
import { listAnswer } from './lists.ts';

/** list_applabels (interface.md, "list_applabels (application label list)"). */
export const listApplabels: Action = {
  name: 'list_applabels',
  module: 'data',
  run(_call: Call, { storage, dialect }: Workbench): Answer {
    const items = storage.labels.all().map(({ id, name, color, parent }) => ({
      id: idOf(id, dialect),
      name,
      color,
      parent_id: idOf(parent ?? '', dialect),
    }));
    const texts = items.map((item) => JSON.stringify(item));
    return listAnswer(texts, dialect);
  },
};
