import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { LANES, type Texts } from './application';

/**
 * The sandbox's own database writes this journal within the transaction of each change. So it contains what was really
 * done, whoever asked for it and whatever the service answered.
 */
const JOURNAL = `
  CREATE TABLE IF NOT EXISTS soak_journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, event TEXT NOT NULL, revision INTEGER NOT NULL,
    content TEXT NOT NULL
  );
  ${(['insert', 'update', 'delete'] as const)
    .map((event) => {
      const row = event === 'delete' ? 'OLD' : 'NEW';
      return `CREATE TRIGGER IF NOT EXISTS soak_${event} AFTER ${event.toUpperCase()} ON records BEGIN
        INSERT INTO soak_journal (key, event, revision, content)
        VALUES (${row}.key, '${event}', ${row}.revision, ${row}.content);
      END;`;
    })
    .join('\n')}
`;

/** A record after one change; for a deletion, its last state. */
export interface Entry {
  /** Position in the order of all changes. */
  readonly number: number;
  readonly event: 'insert' | 'update' | 'delete';
  readonly record: string;
  readonly revision: number;
  /** Key, State and the lanes. */
  readonly texts: Texts;
  readonly rows: readonly { readonly id: string; readonly item: string; readonly mark: string }[];
  readonly files: readonly { readonly id: string; readonly name: string }[];
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

type JournalRow = Pick<Entry, 'number' | 'event' | 'revision'> & { key: number; content: string };
type StoredValues = Readonly<Record<string, unknown>>;

function toEntry({ number, key, event, revision, content }: JournalRow, parts: PartIds): Entry {
  const values = JSON.parse(content) as StoredValues;
  const valueOf = (from: StoredValues, part: string): unknown => from[parts[part] ?? ''];
  const list = (part: string) => (valueOf(values, part) ?? []) as Record<string, unknown>[];
  const texts = ['Key', 'State', ...LANES].map((part) => [part, valueOf(values, part)] as const);
  return {
    number,
    event,
    record: String(key % 2 ** 32),
    revision,
    texts: Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Texts,
    rows: list('Rows').map((row) => {
      const text = (part: string) => (valueOf(row.values as StoredValues, `Rows.${part}`) ?? '') as string;
      return { id: String(row.id), item: text('Item'), mark: text('Mark') };
    }),
    files: list('Files').map(({ id, name }) => ({ id: String(id), name: String(name) })),
  };
}
