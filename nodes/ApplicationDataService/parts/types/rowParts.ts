import type { PartCodec } from '../model/codec';
import { rowReader } from './rowRead';
import { ROWS_ACCEPTED, rowWriter } from './rowWrite';

/** input_list: rows, by the codecs of the table part's own parts. */
export function tablePart(codecOf: (part: { readonly type: string }) => PartCodec): PartCodec {
  return {
    label: 'Table part',
    read: rowReader(codecOf),
    write: rowWriter(codecOf),
    accepts: ROWS_ACCEPTED,
    forms: ['JSON rows', 'JSON'],
    sortable: false,
    searchable: false,
    filterable: true,
    holds: 'rows',
  };
}

/** rel_list: rows of another application, which are not written here and cannot be filtered on. */
export function referenceList(codecOf: (part: { readonly type: string }) => PartCodec): PartCodec {
  return {
    label: 'Reference list',
    read: rowReader(codecOf),
    accepts: 'nothing: its rows are records of another application',
    sortable: false,
    searchable: false,
    filterable: false,
    holds: 'references',
  };
}
