import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { LANES, type Lanes } from './application';

/**
 * The sandbox's own database writes this journal within the transaction of each change. So it contains what was really
 * done, whoever asked for it and whatever the service answered.
 */
const JOURNAL = `
  CREATE TABLE IF NOT EXISTS soak_journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key INTEGER NOT NULL, event TEXT NOT NULL,
    revision INTEGER NOT NULL, content TEXT NOT NULL
  );
  ${(['insert', 'update', 'delete'] as const)
    .map((event) => {
      const row = event === 'delete' ? 'OLD' : 'NEW';
      return `CREATE TRIGGER IF NOT EXISTS soak_${event} AFTER ${event.toUpperCase()} ON records BEGIN
        INSERT INTO soak_journal (at, key, event, revision, content)
        VALUES (unixepoch('subsec') * 1000, ${row}.key, '${event}', ${row}.revision, ${row}.content);
      END;`;
    })
    .join('\n')}
`;

interface StoredRow {
  readonly id: string;
  readonly item: string;
  readonly mark: string;
}

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** A record after one change; for a deletion, its last state. */
export interface Entry {
  /** Position in the order of all changes. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: 'insert' | 'update' | 'delete';
  readonly record: string;
  readonly revision: number;
  readonly key: string;
  readonly state: string;
  readonly lanes: Lanes;
  readonly rows: readonly StoredRow[];
  readonly files: readonly StoredFile[];
}

/** Ids of the parts by name, as the sandbox returns them; for a child part, `Table.Child`. */
export type PartIds = Readonly<Record<string, string>>;

/** Starts the journal in a sandbox's database. Nothing else may write to the database meanwhile. */
export function beginJournal(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(JOURNAL);
  database.close();
}

/** Reads the changes of an application's records, in order. */
export function readJournal(file: string, application: string, parts: PartIds): Entry[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const first = Number(application) * 2 ** 32;
    return database
      .prepare('SELECT * FROM soak_journal WHERE key BETWEEN ? AND ? ORDER BY number')
      .all(first, first + 2 ** 32 - 1)
      .map((row) => toEntry(row as unknown as JournalRow, parts));
  } finally {
    database.close();
  }
}

/** SHA-256 of the files in an application's records, by their ids. */
export function readFileHashes(file: string, application: string): Map<string, string> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const chunks = database.prepare('SELECT bytes FROM file_chunks WHERE file = ? ORDER BY position');
    const files = database.prepare('SELECT id FROM files WHERE application = ?').all(Number(application));
    return new Map(
      files.map(({ id }) => {
        const hash = createHash('sha256');
        for (const { bytes } of chunks.all(id!)) hash.update(bytes as Uint8Array);
        return [String(id), hash.digest('hex')];
      }),
    );
  } finally {
    database.close();
  }
}

interface JournalRow {
  readonly number: number;
  readonly at: number;
  readonly key: number;
  readonly event: Entry['event'];
  readonly revision: number;
  readonly content: string;
}

function toEntry({ number, at, key, event, revision, content }: JournalRow, parts: PartIds): Entry {
  const values = JSON.parse(content) as Record<string, unknown>;
  const text = (from: Record<string, unknown>, part: string): string => {
    const value = from[parts[part] ?? ''];
    return typeof value === 'string' ? value : '';
  };
  const list = (part: string): Record<string, unknown>[] =>
    (values[parts[part] ?? ''] ?? []) as Record<string, unknown>[];
  return {
    number,
    at,
    event,
    record: String(key % 2 ** 32),
    revision,
    key: text(values, 'Key'),
    state: text(values, 'State'),
    lanes: Object.fromEntries(
      LANES.flatMap((lane) => (text(values, lane) === '' ? [] : [[lane, text(values, lane)]])),
    ),
    rows: list('Rows').map((row) => ({
      id: String(row.id),
      item: text(row.values as Record<string, unknown>, 'Rows.Item'),
      mark: text(row.values as Record<string, unknown>, 'Rows.Mark'),
    })),
    files: list('Files').map(({ id, name, size }) => ({
      id: String(id),
      name: String(name),
      size: Number(size),
    })),
  };
}
