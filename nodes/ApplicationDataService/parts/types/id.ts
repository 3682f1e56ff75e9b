import type { PartCodec } from '../model/codec';
import { readOneText } from './text';

/** id: the service's own, never written. */
export const id: PartCodec = {
  read: ({ val }) => readOneText(val),
  accepts: 'nothing: the service assigns it',
  editor: 'string',
  sortable: true,
  searchable: false,
  filterable: true,
};
