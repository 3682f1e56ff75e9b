import type { PartCodec } from '../model/codec';
import { asItCame } from '../values/shapes';

/** Types that are newer than this code: returned unchanged, never written. */
export const unknownType: PartCodec = {
  read: ({ val }) => asItCame(val),
  accepts: 'nothing: parts of this type cannot be written',
  sortable: false,
  searchable: false,
  filterable: false,
};

/** A reference part whose source is gone. */
export const brokenReference: PartCodec = { ...unknownType, label: 'Reference part in error' };
