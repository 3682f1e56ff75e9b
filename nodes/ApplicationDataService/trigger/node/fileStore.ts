import type { IBinaryData } from 'n8n-workflow';

/** Bytes of files that are kept at most. */
const MOST_BYTES = 50_000_000;

/**
 * Files that were downloaded for records which are not given yet, because others of their files did not come. The oldest
 * go first where there is no room.
 */
export class FileStore {
  private readonly files = new Map<string, { readonly data: IBinaryData; readonly bytes: number }>();
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
    for (const [key, { bytes }] of this.files)
      if (key.startsWith(`${recordId}/`) && this.files.delete(key)) this.bytes -= bytes;
  }

  keep(key: string, data: IBinaryData, bytes: number): void {
    if (bytes > MOST_BYTES || this.files.has(key)) return;
    this.files.set(key, { data, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: size }] of this.files) {
      if (this.bytes <= MOST_BYTES) return;
      this.files.delete(oldest);
      this.bytes -= size;
    }
  }
}
