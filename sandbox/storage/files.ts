import type { StoredFile } from '../parts/part.ts';
import type { Database } from './database.ts';

/** Where a file belongs. */
export interface FileOwner {
  readonly application: number;
  readonly part: number;
  readonly record: number;
}

interface FileRow extends Record<string, string | number> {
  id: number;
  part: number;
  record: number;
  name: string;
  mime_type: string;
  size: number;
}

const chunkBytes = 1_048_576;

/**
 * Attached files, in chunks, so that no upload or download is ever completely in memory. A file that arrives has no
 * owner until its call succeeds.
 */
export class Files {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.#dropOrphans();
  }

  /**
   * Stores a file.
   * @throws whatever reading the content throws; then nothing is stored.
   */
  async receive(
    name: string,
    mimeType: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<StoredFile> {
    const { id } = this.#database.run(
      'INSERT INTO files (name, mime_type, size) VALUES (?, ?, 0)',
      name,
      mimeType,
    );
    try {
      let size = 0;
      let position = 0;
      for await (const chunk of inChunks(content)) {
        this.#database.run('INSERT INTO file_chunks VALUES (?, ?, ?)', id, position++, chunk);
        size += chunk.length;
      }
      this.#database.run('UPDATE files SET size = ? WHERE id = ?', size, id);
      return { id, name, mimeType, size };
    } catch (error) {
      this.remove([id]);
      throw error;
    }
  }

  adopt(id: number, owner: FileOwner): void {
    this.#database.run(
      'UPDATE files SET application = ?, part = ?, record = ? WHERE id = ?',
      owner.application,
      owner.part,
      owner.record,
      id,
    );
  }

  find(application: number, part: number, id: number): (StoredFile & { record: number }) | undefined {
    const row = this.#database.get<FileRow>(
      'SELECT * FROM files WHERE id = ? AND application = ? AND part = ?',
      id,
      application,
      part,
    );
    return row && { id, name: row.name, mimeType: row.mime_type, size: row.size, record: row.record };
  }

  *content(id: number): Iterable<Uint8Array> {
    for (let position = 0; ; position++) {
      const row = this.#database.get<{ bytes: Uint8Array }>(
        'SELECT bytes FROM file_chunks WHERE file = ? AND position = ?',
        id,
        position,
      );
      if (!row) return;
      yield row.bytes;
    }
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      this.#database.run('DELETE FROM file_chunks WHERE file = ?', id);
      this.#database.run('DELETE FROM files WHERE id = ?', id);
    }
  }

  /** Removes files that were stored but belong to no record, because their call failed. */
  removeUnowned(ids: readonly number[]): void {
    this.remove(
      ids.filter((id) => this.#database.get('SELECT id FROM files WHERE id = ? AND application IS NULL', id)),
    );
  }

  /** Removes the files of some records, or of a whole application. */
  removeOf(application: number, records?: readonly number[]): void {
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
    if (!records) {
      this.remove(ids(this.#database.all('SELECT id FROM files WHERE application = ?', application)));
      return;
    }
    for (const record of records) {
      this.remove(
        ids(
          this.#database.all(
            'SELECT id FROM files WHERE application = ? AND record = ?',
            application,
            record,
          ),
        ),
      );
    }
  }

  #dropOrphans(): void {
    this.#database.run('DELETE FROM files WHERE application IS NULL');
    this.#database.run('DELETE FROM file_chunks WHERE file NOT IN (SELECT id FROM files)');
  }
}

async function* inChunks(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes >= chunkBytes) {
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
