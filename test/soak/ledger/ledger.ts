import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Delivery, Line, Seen, SeenFile } from './line';

/** The entries of the ledger. */
export interface LedgerContents {
  readonly lines: readonly Line[];
  readonly seen: readonly Seen[];
  readonly seenFiles: readonly SeenFile[];
  readonly deliveries: readonly Delivery[];
  /** Texts of errors and warnings that contain the access key. */
  readonly leaks: readonly string[];
}

type Kind = keyof LedgerContents;

/** Keeps what the nodes reported in a file. In memory, it would look like a leak in the nodes. */
export class Ledger {
  private readonly folder = mkdtempSync(join(tmpdir(), 'soak-ledger-'));
  private readonly path = join(this.folder, 'ledger.ndjson');
  private readonly file = openSync(this.path, 'a');

  add<K extends Kind>(kind: K, entry: LedgerContents[K][number]): void {
    writeSync(this.file, `${JSON.stringify([kind, entry])}\n`);
  }

  /** Reads all entries. */
  read(): LedgerContents {
    const contents: Record<Kind, unknown[]> = {
      lines: [],
      seen: [],
      seenFiles: [],
      deliveries: [],
      leaks: [],
    };
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      if (line === '') continue;
      const [kind, entry] = JSON.parse(line) as [Kind, unknown];
      contents[kind].push(entry);
    }
    return contents as unknown as LedgerContents;
  }

  remove(): void {
    closeSync(this.file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
