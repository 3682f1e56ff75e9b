import type { PartCodec } from '../model/codec';
import { asItCame } from '../values/shapes';

/** rel_field and types that came after this was written: given as they come, never written. */
export const unknown: PartCodec = {
  read: ({ val }) => asItCame(val),
  accepts: 'nothing: parts of this type cannot be written',
  editor: 'string',
  sortable: false,
  searchable: false,
  filterable: false,
};
