import type { IBinaryData } from 'n8n-workflow';

/** Bytes of files that are kept at most. */
const MOST_BYTES = 50_000_000;

interface KeptFile {
  readonly recordId: string;
  readonly data: IBinaryData;
  readonly bytes: number;
}

/**
 * Files that were downloaded for records which are not given yet, because others of their files did not come. Where there is
 * no room, those of other records go, the oldest first; those of the record itself stay, so that each poll has fewer to get.
 */
export class FileStore {
  private readonly files = new Map<string, KeptFile>();
  /** Files that came of each record. */
  private readonly most = new Map<string, number>();
  private bytes = 0;

  get(key: string): IBinaryData | undefined {
    return this.files.get(key)?.data;
  }

  /** Whether more of a record's files came than ever before. */
  hasMore(recordId: string, files: number): boolean {
    if (files <= (this.most.get(recordId) ?? 0)) return false;
    this.most.set(recordId, files);
    return true;
  }

  /** Lets go of the files of a record. */
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
