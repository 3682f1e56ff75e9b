import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Delivery, Line, Seen, SeenFile } from './line';

/** What the audit goes by. */
export interface Told {
  readonly lines: readonly Line[];
  readonly seen: readonly Seen[];
  readonly seenFiles: readonly SeenFile[];
  readonly deliveries: readonly Delivery[];
  /** Texts of errors and warnings in which the access key stands. */
  readonly leaks: readonly string[];
}

type Kind = keyof Told;

/** Keeps what the nodes said, in a file: in memory it would look like a leak of theirs. */
export class Ledger {
  private readonly folder = mkdtempSync(join(tmpdir(), 'soak-ledger-'));
  private readonly path = join(this.folder, 'ledger.ndjson');
  private readonly file = openSync(this.path, 'a');

  add<K extends Kind>(kind: K, entry: Told[K][number]): void {
    writeSync(this.file, `${JSON.stringify([kind, entry])}\n`);
  }

  /** Everything that was kept. */
  read(): Told {
    const told: Record<Kind, unknown[]> = { lines: [], seen: [], seenFiles: [], deliveries: [], leaks: [] };
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      if (line === '') continue;
      const [kind, entry] = JSON.parse(line) as [Kind, unknown];
      told[kind].push(entry);
    }
    return told as unknown as Told;
  }

  remove(): void {
    closeSync(this.file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
