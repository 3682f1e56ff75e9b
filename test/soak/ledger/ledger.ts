import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Texts } from '../world/application';
import type { ReportedOutcome } from './outcome';
import type { Trace } from './traces';

/** What one item asked for. */
export interface Request {
  /** Record to write to; none if the node should find or create one. */
  readonly record?: string;
  /** What it adds. Each trace contains the item's token, so no other item adds the same. */
  readonly adds?: readonly Trace[];
  /** The key on which it matches. Other items may add the same. */
  readonly key?: Trace;
  /** What it removes. Other items may remove the same. */
  readonly removes?: readonly Trace[];
  readonly guard?: Guard;
}

/** What a guarded update depends on. */
interface Guard {
  readonly policy: 'fail' | 'skip' | 'merge';
  readonly revision: number;
  /** What was read of the lanes that it writes; empty ones, too. */
  readonly lanes: Texts;
}

/** One item of one run: what it asked for, and what the node reported. */
export interface Line extends Request {
  /** Resource and operation. */
  readonly operation: string;
  readonly reported: ReportedOutcome;
  /** Id in the node's output. */
  readonly id?: string;
  readonly message?: string;
}

/** A record in the output of one of our nodes. */
interface Seen {
  readonly id: string;
  readonly revision: number;
  readonly lanes: Texts;
}

/** A file that one of our nodes downloaded. Its name contains the SHA-256 of what was sent. */
interface SeenFile {
  readonly name: string;
  readonly sha256: string;
}

/** One item of a trigger. */
export interface Event {
  readonly event: 'created' | 'updated' | 'deleted';
  readonly id: string;
  readonly revision: number | null;
  readonly previousRevision: number | null;
  readonly lanes: Texts;
}

/** The output of one poll. */
export interface Delivery {
  readonly watcher: string;
  readonly events: readonly Event[];
  /** The process ended after n8n saved and before it started the workflow, so nobody received these events. */
  readonly lost: boolean;
}

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
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    const entries = lines.map((line) => JSON.parse(line) as [Kind, unknown]);
    const of = (kind: Kind) => entries.filter(([each]) => each === kind).map(([, entry]) => entry);
    const kinds = ['lines', 'seen', 'seenFiles', 'deliveries', 'leaks'] as const;
    return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as unknown as LedgerContents;
  }

  remove(): void {
    closeSync(this.file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
