import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * A record's key combines the ids of its application and of itself in one integer. So the records of an application are
 * stored together in the table, in order of their ids.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS applications (
    id INTEGER PRIMARY KEY, definition TEXT NOT NULL, next_record INTEGER NOT NULL, next_row INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS records (
    key INTEGER PRIMARY KEY, application INTEGER NOT NULL, revision INTEGER NOT NULL,
    created_at TEXT NOT NULL, created_by TEXT NOT NULL, updated_at TEXT NOT NULL, updated_by TEXT NOT NULL,
    content TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS record_keys ON records (key);
  CREATE INDEX IF NOT EXISTS record_updates ON records (application, updated_at, key);
  CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, application INTEGER, part INTEGER, record INTEGER,
    name TEXT NOT NULL, mime_type TEXT NOT NULL, size INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS record_files ON files (application, record);
  CREATE TABLE IF NOT EXISTS file_chunks (
    file INTEGER NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, position)
  );
  CREATE TABLE IF NOT EXISTS users (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, access_key TEXT NOT NULL UNIQUE, settings TEXT NOT NULL
  );
`;

/** Waits for the disk at checkpoints only. What was answered survives the end of the process, as in a server. */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16384;
`;

type Bound = string | number | null | Uint8Array;
type Row = Record<string, string | number | null | Uint8Array>;

/** One SQLite database, in a file or in memory, with its statements prepared once. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  constructor(path: string) {
    this.#connection = new DatabaseSync(path);
    this.#connection.exec(settings);
    this.#connection.exec(schema);
  }

  /** Runs a statement and returns the id of the inserted row and how many rows changed. */
  run(sql: string, ...values: Bound[]): { id: number; changes: number } {
    const { lastInsertRowid, changes } = this.#statement(sql).run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  get<R extends Row>(sql: string, ...values: Bound[]): R | undefined {
    return this.#statement(sql).get(...values) as R | undefined;
  }

  all<R extends Row>(sql: string, ...values: Bound[]): R[] {
    return this.#statement(sql).all(...values) as R[];
  }

  /** Rows one by one. Each call has a separate statement, so reading may be nested or stopped early. */
  iterate<R extends Row>(sql: string, ...values: Bound[]): Iterable<R> {
    return this.#connection.prepare(sql).iterate(...values) as Iterable<R>;
  }

  /** Does all of the work or nothing. Can be nested. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.#connection.exec('BEGIN IMMEDIATE');
    this.#depth++;
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK');
      throw error;
    } finally {
      this.#depth--;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
