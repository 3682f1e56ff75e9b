import type { Applications } from './applications.ts';
import type { Database } from './database.ts';
import { keyBase, columns, rowKey, toRecord, type DataRecord, type RecordRow } from './dataRecord.ts';
import { Positions } from './positions.ts';
import { intersect, type Clause, type Selection, type SqlOrder } from './selection.ts';

const whereOf = (application: number, { from, to, clauses }: Selection): Clause => ({
  sql: ['application = ? AND key BETWEEN ? AND ?', ...clauses.map(({ sql }) => sql)].join(' AND '),
  values: [
    application,
    rowKey(application, from),
    rowKey(application, to),
    ...clauses.flatMap(({ values }) => values),
  ],
});

/** The data records of all applications. */
export class Records {
  readonly #database: Database;
  readonly #applications: Applications;
  readonly #positions = new Map<number, Positions>();
  /** Applications whose records were added or deleted in the current transaction. */
  readonly #unsettled = new Set<number>();

  constructor(database: Database, applications: Applications) {
    this.#database = database;
    this.#applications = applications;
  }

  get(application: number, id: number): DataRecord | undefined {
    const row = this.#database.get<RecordRow>(
      `SELECT ${columns} FROM records WHERE key = ?`,
      rowKey(application, id),
    );
    return row && toRecord(row);
  }

  count(application: number): number {
    return this.#positionsOf(application).length;
  }

  /** How many records have smaller ids. */
  before(application: number, id: number): number {
    return this.#positionsOf(application).before(id);
  }

  /** Records in order of their ids, at a 0-based offset. */
  page(application: number, offset: number, limit: number): DataRecord[] {
    const range = this.#positionsOf(application).range(offset, limit);
    if (!range) return [];
    return this.#database
      .all<RecordRow>(
        `SELECT ${columns} FROM records WHERE key BETWEEN ? AND ? ORDER BY key`,
        rowKey(application, range.first),
        rowKey(application, range.last),
      )
      .map(toRecord);
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

  /** Records in another order, one by one, up to a limit. Only their keys are sorted. */
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
      const record = this.get(application, key % keyBase);
      if (record) yield record;
    }
  }

  /** Adds a record whose id was taken from the application's counter. */
  insert(application: number, record: DataRecord): void {
    this.#database.run(
      `INSERT INTO records (${columns}, application) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      rowKey(application, record.id),
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
      rowKey(application, record.id),
    );
    this.#applications.touch(application);
  }

  delete(application: number, ids: readonly number[]): void {
    for (const id of ids) this.#database.run('DELETE FROM records WHERE key = ?', rowKey(application, id));
    this.#positions.get(application)?.remove(ids);
    this.#unsettled.add(application);
    this.#applications.touch(application);
  }

  deleteAll(application: number): void {
    this.#database.run(
      'DELETE FROM records WHERE key BETWEEN ? AND ?',
      rowKey(application, 0),
      rowKey(application, keyBase - 1),
    );
    this.#positions.delete(application);
    this.#applications.touch(application);
  }

  /** Reads the positions of the records of all applications, so that no call has to do it. */
  prepare(): void {
    for (const { id } of this.#applications.all()) this.#positionsOf(id);
  }

  /** Ends a transaction. After a rollback, the changed positions are dropped. */
  settle(committed: boolean): void {
    if (!committed) for (const application of this.#unsettled) this.#positions.delete(application);
    this.#unsettled.clear();
  }

  #positionsOf(application: number): Positions {
    let positions = this.#positions.get(application);
    if (!positions) {
      positions = new Positions();
      const rows = this.#database.iterate<{ key: number }>(
        'SELECT key FROM records INDEXED BY record_keys WHERE key BETWEEN ? AND ? ORDER BY key',
        rowKey(application, 0),
        rowKey(application, keyBase - 1),
      );
      for (const { key } of rows) positions.push(key % keyBase);
      this.#positions.set(application, positions);
    }
    return positions;
  }
}
