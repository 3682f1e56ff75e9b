import type { IBinaryData } from 'n8n-workflow';

/** How many bytes of files are kept at most. */
const MOST_BYTES = 50_000_000;

interface KeptFile {
  readonly recordId: string;
  readonly data: IBinaryData;
  readonly bytes: number;
}

/**
 * Files that were downloaded for records that are not output yet, because others of their files did not arrive. If
 * there is no room, those of other records are dropped, the oldest first. The record's own are kept, so that each poll
 * has fewer to download.
 */
export class FileStore {
  private readonly files = new Map<string, KeptFile>();
  /** The files of each record that have arrived. */
  private readonly most = new Map<string, number>();
  private bytes = 0;

  get(key: string): IBinaryData | undefined {
    return this.files.get(key)?.data;
  }

  /** Whether more of a record's files have arrived than ever before. */
  hasMore(recordId: string, files: number): boolean {
    if (files <= (this.most.get(recordId) ?? 0)) return false;
    this.most.set(recordId, files);
    return true;
  }

  /** Drops the files of a record. */
  release(recordId: string): void {
    this.most.delete(recordId);
    for (const [key, file] of this.files) if (file.recordId === recordId) this.drop(key);
  }

  /** @param key identifies the file. */
  keep(recordId: string, key: string, data: IBinaryData, bytes: number): void {
    if (bytes > MOST_BYTES || this.files.has(key)) return;
    const lacks = (): boolean => this.bytes + bytes > MOST_BYTES;
    for (const [oldest, file] of this.files) if (lacks() && file.recordId !== recordId) this.drop(oldest);
    if (lacks()) return;
    this.files.set(key, { recordId, data, bytes });
    this.bytes += bytes;
  }

  private drop(key: string): void {
    this.bytes -= this.files.get(key)?.bytes ?? 0;
    this.files.delete(key);
  }
}
