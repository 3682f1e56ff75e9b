import type { Values } from '../parts/part.ts';
import type { Applications } from './applications.ts';
import type { Database } from './database.ts';
import { Positions } from './positions.ts';
import { intersect, type Clause, type Selection, type SqlOrder } from './selection.ts';

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

/** What a list of ids and revisions needs. */
export interface RecordHead {
  readonly id: number;
  readonly revision: number;
}

interface RecordRow extends Record<string, string | number> {
  key: number;
  revision: number;
  created_at: string;
  created_by: string;
  updated_at: string;
  updated_by: string;
  content: string;
}

const base = 2 ** 32;
const keyOf = (application: number, id: number) => application * base + id;
const whereOf = (application: number, { from, to, clauses }: Selection): Clause => ({
  sql: ['application = ? AND key BETWEEN ? AND ?', ...clauses.map(({ sql }) => sql)].join(' AND '),
  values: [
    application,
    keyOf(application, from),
    keyOf(application, to),
    ...clauses.flatMap(({ values }) => values),
  ],
});
const columns = 'key, revision, created_at, created_by, updated_at, updated_by, content';

/** A record as read; its values are parsed when they are first looked at. */
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
    this.id = row.key % base;
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

const toRecord = (row: RecordRow): DataRecord => new ReadRecord(row);

/** The data records of all applications. */
export class Records {
  readonly #database: Database;
  readonly #applications: Applications;
  readonly #positions = new Map<number, Positions>();
  /** Applications whose records were added or deleted in the transaction under way. */
  readonly #unsettled = new Set<number>();

  constructor(database: Database, applications: Applications) {
    this.#database = database;
    this.#applications = applications;
  }

  get(application: number, id: number): DataRecord | undefined {
    const row = this.#database.get<RecordRow>(
      `SELECT ${columns} FROM records WHERE key = ?`,
      keyOf(application, id),
    );
    return row && toRecord(row);
  }

  count(application: number): number {
    return this.#positionsOf(application).length;
  }

  /** Records in order of their ids, at a 0-based offset. */
  page(application: number, offset: number, limit: number): DataRecord[] {
    const range = this.#positionsOf(application).range(offset, limit);
    if (!range) return [];
    return this.#database
      .all<RecordRow>(
        `SELECT ${columns} FROM records WHERE key BETWEEN ? AND ? ORDER BY key`,
        keyOf(application, range.first),
        keyOf(application, range.last),
      )
      .map(toRecord);
  }

  /** Ids and revisions of a page, without reading the records. */
  heads(application: number, offset: number, limit: number): RecordHead[] {
    const range = this.#positionsOf(application).range(offset, limit);
    if (!range) return [];
    return this.#database
      .all<{ key: number; revision: number }>(
        'SELECT key, revision FROM records INDEXED BY record_revisions WHERE key BETWEEN ? AND ? ORDER BY key',
        keyOf(application, range.first),
        keyOf(application, range.last),
      )
      .map(({ key, revision }) => ({ id: key % base, revision }));
  }

  /** Records in order of their ids, one by one. */
  *each(application: number, selection: Selection = intersect([])): Iterable<DataRecord> {
    const { sql, values } = whereOf(application, selection);
    const rows = this.#database.iterate<RecordRow>(
      `SELECT ${columns} FROM records NOT INDEXED WHERE ${sql} ORDER BY key`,
      ...values,
    );
    for (const row of rows) yield toRecord(row);
  }

  /** Records in another order, one by one, at most so many. Only their keys are sorted. */
  *eachOrdered(
    application: number,
    selection: Selection,
    { expression, descending }: SqlOrder,
    most: number,
  ): Iterable<DataRecord> {
    const { sql, values } = whereOf(application, selection);
    const keys = this.#database.iterate<{ key: number }>(
      `SELECT key FROM records WHERE ${sql} ORDER BY ${expression} ${descending ? 'DESC' : 'ASC'}, key LIMIT ?`,
      ...values,
      most,
    );
    for (const { key } of keys) {
      const record = this.get(application, key % base);
      if (record) yield record;
    }
  }

  /** Adds a record whose id was taken from the application's counter. */
  insert(application: number, record: DataRecord): void {
    this.#database.run(
      `INSERT INTO records (${columns}, application) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      keyOf(application, record.id),
      record.revision,
      record.createdAt,
      record.createdBy,
      record.updatedAt,
      record.updatedBy,
      JSON.stringify(record.values),
      application,
    );
    this.#positions.get(application)?.push(record.id);
    this.#unsettled.add(application);
    this.#applications.touch(application);
  }

  update(application: number, record: DataRecord): void {
    this.#database.run(
      'UPDATE records SET revision = ?, updated_at = ?, updated_by = ?, content = ? WHERE key = ?',
      record.revision,
      record.updatedAt,
      record.updatedBy,
      JSON.stringify(record.values),
      keyOf(application, record.id),
    );
    this.#applications.touch(application);
  }

  delete(application: number, ids: readonly number[]): void {
    for (const id of ids) this.#database.run('DELETE FROM records WHERE key = ?', keyOf(application, id));
    this.#positions.get(application)?.remove(ids);
    this.#unsettled.add(application);
    this.#applications.touch(application);
  }

  deleteAll(application: number): void {
    this.#database.run(
      'DELETE FROM records WHERE key BETWEEN ? AND ?',
      keyOf(application, 0),
      keyOf(application, base - 1),
    );
    this.#positions.delete(application);
    this.#applications.touch(application);
  }

  /** Reads where the records of all applications stand, so that no call has to. */
  prepare(): void {
    for (const { id } of this.#applications.all()) this.#positionsOf(id);
  }

  /** Ends a transaction: after a rollback, positions that went along with it are forgotten. */
  settle(committed: boolean): void {
    if (!committed) for (const application of this.#unsettled) this.#positions.delete(application);
    this.#unsettled.clear();
  }

  #positionsOf(application: number): Positions {
    let positions = this.#positions.get(application);
    if (!positions) {
      positions = new Positions();
      const rows = this.#database.iterate<{ key: number }>(
        'SELECT key FROM records INDEXED BY record_revisions WHERE key BETWEEN ? AND ? ORDER BY key',
        keyOf(application, 0),
        keyOf(application, base - 1),
      );
      for (const { key } of rows) positions.push(key % base);
      this.#positions.set(application, positions);
    }
    return positions;
  }
}
