import type { Lane, Lanes } from '../world/application';

/** What the node said became of one item. */
export type Told =
  /** Acknowledged. */
  | 'created'
  | 'updated'
  | 'deleted'
  /** Nothing was written, and the node says why. */
  | 'unchanged'
  | 'conflict'
  | 'notFound'
  | 'refused'
  /** The record was written, but not all of its attachments. */
  | 'partly'
  /** "It is not known whether the service did it". */
  | 'unknown'
  /** Another item ended the run before this one was told anything. */
  | 'untold';

/** What a guarded update went by. */
export interface Guard {
  readonly policy: 'fail' | 'skip' | 'merge';
  readonly revision: number;
  readonly lanes: Lanes;
}

export interface SentFile {
  readonly name: string;
  readonly sha256: string;
}

/** What one item asked for. */
export interface Request {
  /** In every value that the item writes, and in no other item's. */
  readonly token: string;
  /** Record to write to; `null` if the node is to find or make one. */
  readonly record: string | null;
  /** Value of the part Key: that of a new record, or the one to match on. */
  readonly key?: string;
  readonly lanes?: readonly Lane[];
  /** Values of Item of rows to add. */
  readonly rows?: readonly string[];
  /** Id of a row whose Mark becomes the token. */
  readonly markedRow?: string;
  readonly removedRows?: readonly string[];
  readonly files?: readonly SentFile[];
  readonly removedFiles?: readonly string[];
  /** Ids of records to delete. */
  readonly deleted?: readonly string[];
  readonly guard?: Guard;
}

export type Operation =
  'create' | 'update' | 'upsert' | 'delete' | 'addRow' | 'updateRow' | 'deleteRow' | 'upload' | 'removeFile';

/** One item of one run: what was asked, and what was told. */
export interface Line extends Request {
  readonly operation: Operation;
  readonly told: Told;
  /** Id that the node gave. */
  readonly id?: string;
  /** What a deletion said of each id. */
  readonly deletedIds?: readonly string[];
  readonly missingIds?: readonly string[];
  readonly message?: string;
  /** Milliseconds since 1970 at the beginning and the end of the run. */
  readonly from: number;
  readonly to: number;
}

/** A record as one of our nodes gave it. */
export interface Seen {
  readonly by: string;
  readonly id: string;
  readonly revision: number;
  readonly lanes: Lanes;
}

/** A file as one of our nodes downloaded it. */
export interface SeenFile {
  readonly by: string;
  readonly name: string;
  readonly sha256: string;
}

/** One item of a trigger. */
export interface Event {
  readonly event: 'created' | 'updated' | 'deleted';
  readonly id: string;
  readonly revision: number | null;
  readonly previousRevision: number | null;
  readonly lanes: Lanes;
}

/** What one poll gave. */
export interface Delivery {
  readonly watcher: string;
  readonly poll: number;
  readonly events: readonly Event[];
  /** The process ended after n8n saved and before it started the workflow: nobody got these. */
  readonly lost: boolean;
}
