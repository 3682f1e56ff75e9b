import type { PartCodec } from '../model/codec';
import { rowReader } from './rowRead';
import { ROWS_ACCEPTED, rowWriter } from './rowWrite';

/** input_list: rows, by the codecs of the table part's own parts. */
export function tablePart(codecOf: (part: { readonly type: string }) => PartCodec): PartCodec {
  return {
    read: rowReader(codecOf),
    write: rowWriter(codecOf),
    accepts: ROWS_ACCEPTED,
    editor: 'string',
    sortable: false,
    searchable: false,
    filterable: true,
  };
}

/** rel_list: rows of another application, which are not written here and cannot be filtered on. */
export function referenceList(codecOf: (part: { readonly type: string }) => PartCodec): PartCodec {
  return {
    read: rowReader(codecOf),
    accepts: 'nothing: its rows are records of another application',
    editor: 'string',
    sortable: false,
    searchable: false,
    filterable: false,
  };
}
