import { fetchLabels } from '../../service/application/definition';
import { readLimit } from '../input/recordQuery';
import { limit, returnAll } from '../../common/properties';
import { readOperation } from '../run/types';

/**
 * Lists the labels of applications: `list_applabels`, which takes no parameters, once a run; a limit is applied here.
 * One item a label: ID, name, color, and the ID of the label above it, `null` at the top.
 */
export const getManyLabels = readOperation({
  resource: 'label',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many labels',
  description: 'List the labels that group applications',
  properties: [returnAll.property, limit.property],
  options: {},
  async execute(item) {
    const { client } = item.run.session;
    const most = readLimit(item);
    item.run.hints.sameQuestion(['labels', most]);
    const all = await item.run.session.once(['labels'], async () => await fetchLabels(client));
    return all.slice(0, most).map((label) => ({ json: { ...label } }));
  },
});
