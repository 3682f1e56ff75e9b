import { codecOf } from '../parts/codecs';
import { namePart } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject } from '../parts/values/shapes';
import type { RecordQuery } from '../service/read/records';
import { UserError } from '../util/userError';
import { anySetting, wordIn } from './setting';
import { LIST_HINT } from './properties';

export const sort = anySetting({
  displayName: 'Sort',
  name: 'sort',
  type: 'fixedCollection',
  placeholder: 'Add sort rule',
  default: {},
  description:
    'Order of the records. The default is the record ID. With another order, a record that moves while several pages are read can be missed.',
  options: [
    {
      displayName: 'By',
      name: 'by',
      values: [
        {
          displayName: 'Part Name or ID',
          name: 'part',
          type: 'options',
          typeOptions: { loadOptionsMethod: 'getSortParts', loadOptionsDependsOn: ['application.value'] },
          builderHint: LIST_HINT,
          default: '',
          description:
            'Part to sort by. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
        },
        {
          displayName: 'Order',
          name: 'order',
          type: 'options',
          options: [
            { name: 'Ascending', value: 'asc' },
            { name: 'Descending', value: 'desc' },
          ],
          default: 'asc',
        },
      ],
    },
  ],
});

/** @throws UserError for a part that the service cannot sort by (service-facts, "Keyword and sort"). */
export function readSort(saved: unknown, parts: readonly Part[]): RecordQuery['sort'] {
  const by = isObject(saved) ? saved.by : undefined;
  const text = isObject(by) ? wordIn(by.part) : '';
  if (!isObject(by) || text === '') return undefined;
  const part = findPart(parts, text);
  if (codecOf(part).sortable) return { part, order: readOrder(by.order) };
  const sortable = parts.filter((each) => codecOf(each).sortable).map(({ name }) => name);
  throw new UserError(
    `Records cannot be sorted by part ${namePart(part)}: the service does not sort by parts of type ${part.type}`,
    `Select another part, or add a Sort node after this one. Sorting works by: ${sortable.join(', ')}.`,
  );
}

function readOrder(saved: unknown): 'asc' | 'desc' {
  const text = wordIn(saved, 'asc');
  if (text === 'asc' || text === 'desc') return text;
  throw new UserError(`There is no order "${text}"`, 'Select asc or desc.');
}
