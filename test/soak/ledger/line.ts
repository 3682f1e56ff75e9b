import type { Lane, Lanes } from '../world/application';

/** The outcome of one item, as the node reported it. */
export type ReportedOutcome =
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
  /** "Outcome unknown": the write is in doubt. */
  | 'unknown'
  /** Another item ended the run before the node reported on this one. */
  | 'notReported';

/** What a guarded update depends on. */
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
  /** A text in every value that the item writes, and in no other item's. */
  readonly token: string;
  /** Record to write to; `null` if the node should find or create one. */
  readonly record: string | null;
  /** Value of the part Key: that of a new record, or the one to match on. */
  readonly key?: string;
  readonly lanes?: readonly Lane[];
  /** Values of the part Item in rows to add. */
  readonly rows?: readonly string[];
  /** Id of a row whose part Mark is set to the token. */
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

/** One item of one run: what it asked for, and what the node reported. */
export interface Line extends Request {
  readonly operation: Operation;
  readonly reported: ReportedOutcome;
  /** Id in the node's output. */
  readonly id?: string;
  /** The ids that a deletion reported as deleted. */
  readonly deletedIds?: readonly string[];
  readonly missingIds?: readonly string[];
  readonly message?: string;
}

/** A record in the output of one of our nodes. */
export interface Seen {
  readonly by: string;
  readonly id: string;
  readonly revision: number;
  readonly lanes: Lanes;
}

/** A file that one of our nodes downloaded. */
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

/** The output of one poll. */
export interface Delivery {
  readonly watcher: string;
  readonly poll: number;
  readonly events: readonly Event[];
  /** The process ended after n8n saved and before it started the workflow, so nobody received these events. */
  readonly lost: boolean;
}
