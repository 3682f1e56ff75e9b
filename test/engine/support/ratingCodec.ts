import type { PartCodec } from '../../../nodes/ApplicationDataService/parts/model/part';
import { refuse } from '../../../nodes/ApplicationDataService/parts/model/errors';
import { readText } from '../../../nodes/ApplicationDataService/parts/values/shapes';

/** A part type that no service has: one to five, kept as that many stars. */
export const rating: PartCodec = {
  label: 'Rating',
  read: ({ val }) => readText(val).length || null,
  write(value, part) {
    const count = Number(value);
    if (count >= 1 && count <= 5) return { kind: 'text', text: '*'.repeat(count) };
    throw refuse(part, value, 'it is no rating');
  },
  accepts: '1 to 5',
  form: '1 to 5',
  sortable: true,
  filterable: true,
  compares: 'number',
};
