import type { Part, Stored, StoredFile } from '../../parts/part.ts';
import type { RowChange } from './rows.ts';

/** The changes of the files of one attachment part. */
export interface FileChange {
  readonly added: StoredFile[];
  readonly removed: number[];
}

/** The changes of one row's files. Rows are counted from 0, as they were sent. */
export interface RowFileChange extends FileChange {
  readonly table: Part;
  readonly row: number;
  readonly part: Part;
}

/** What to write to a record, checked as far as possible without the record. */
export interface Changes {
  /** An undefined value empties the part. */
  readonly values: ReadonlyMap<Part, Stored | undefined>;
  readonly tables: ReadonlyMap<Part, readonly RowChange[]>;
  readonly files: ReadonlyMap<Part, FileChange>;
  readonly rowFiles: readonly RowFileChange[];
  /** Key parts of `relookup_key_field`. */
  readonly lookups: readonly Part[];
  readonly automatic: boolean;
}
