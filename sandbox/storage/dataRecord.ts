import type { Values } from '../parts/part.ts';

/** A data record as stored. */
export interface DataRecord {
  readonly id: number;
  revision: number;
  /** `yyyy-MM-ddTHH:mm` */
  readonly createdAt: string;
  /** User id. */
  readonly createdBy: string;
  updatedAt: string;
  updatedBy: string;
  values: Values;
}

/** A record as a row of the table. */
export interface RecordRow extends Record<string, string | number> {
  key: number;
  revision: number;
  created_at: string;
  created_by: string;
  updated_at: string;
  updated_by: string;
  content: string;
}

/** The key of a row is its record's id, with the application's number in the higher bits. */
export const keyBase = 2 ** 32;
export const rowKey = (application: number, id: number): number => application * keyBase + id;
/** The columns of {@link RecordRow}. */
export const columns = 'key, revision, created_at, created_by, updated_at, updated_by, content';

/** A record that was read. Its values are parsed at the first access. */
class ReadRecord implements DataRecord {
  readonly id: number;
  revision: number;
  readonly createdAt: string;
  readonly createdBy: string;
  updatedAt: string;
  updatedBy: string;
  readonly #content: string;
  #values: Values | undefined;

  constructor(row: RecordRow) {
    this.id = row.key % keyBase;
    this.revision = row.revision;
    this.createdAt = row.created_at;
    this.createdBy = row.created_by;
    this.updatedAt = row.updated_at;
    this.updatedBy = row.updated_by;
    this.#content = row.content;
  }

  get values(): Values {
    this.#values ??= JSON.parse(this.#content) as Values;
    return this.#values;
  }

  set values(values: Values) {
    this.#values = values;
  }
}

export const toRecord = (row: RecordRow): DataRecord => new ReadRecord(row);
