import type { Part, Stored, StoredRow } from '../../parts/part.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';

/** An object with values: a record, or a row of a table part in it. */
export interface Holder {
  readonly record: DataRecord;
  readonly row?: StoredRow;
}

/** The value of a part other than a reference part. */
export function plainValue(part: Part, { record, row }: Holder): Stored | undefined {
  switch (part.system) {
    case 'id':
      return record.id;
    case 'createdAt':
      return record.createdAt;
    case 'createdBy':
      return [record.createdBy];
    case 'updatedAt':
      return record.updatedAt;
    case 'updatedBy':
      return [record.updatedBy];
    default:
      return (row && part.id in row.values ? row.values : record.values)[part.id];
  }
}
