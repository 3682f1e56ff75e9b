import type { PartCodec } from '../model/codec';
import { asItCame } from '../values/shapes';

/** rel_field and types that are newer than this code: returned unchanged, never written. */
export const unknownType: PartCodec = {
  read: ({ val }) => asItCame(val),
  accepts: 'nothing: parts of this type cannot be written',
  editor: 'string',
  sortable: false,
  searchable: false,
  filterable: false,
};
