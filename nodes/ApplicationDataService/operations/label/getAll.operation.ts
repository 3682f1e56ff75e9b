import { fetchLabels } from '../../service/application/definition';
import { withinLimit } from '../input/limit';
import { limitProperty, returnAllProperty } from '../../common/properties';
import { readOnce } from '../run/readOnce';
import type { ItemOperation } from '../run/types';

/** Label > Get Many (interface.md, "list_applabels"). */
export const getManyLabels: ItemOperation = {
  resource: 'label',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many labels',
  description: 'List the labels that applications are sorted by',
  properties: [returnAllProperty, limitProperty],
  async execute(item) {
    const { client } = item.run.session;
    const all = await readOnce(item, ['list_applabels'], async () => await fetchLabels(client));
    const labels = await withinLimit(
      item,
      'labels',
      async (limit) => await Promise.resolve(all.slice(0, limit)),
    );
    return labels.map((label) => ({ json: { ...label } }));
  },
};
