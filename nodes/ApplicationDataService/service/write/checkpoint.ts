import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../http/errors';

/**
 * What became of one item. Plain JSON, because it outlives a try of the node; nothing of the record's content but the
 * key of one that Sync removes.
 */
export interface ItemOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'conflict' | 'deleted' | 'notFound';
  /** Of what a deletion names: those that were there, and the others. */
  readonly ids?: readonly string[];
  readonly notFound?: readonly string[];
  /** Files left as they are although the record holds another one of the same name, told by its size. */
  readonly otherFiles?: number;
  /** The key of a record that Sync removes, which it outputs. */
  readonly key?: IDataObject;
}

/** What a write has reached: its first request was done, or is not needed; of deletions, what was asked for. */
export interface Progress {
  /** The record's; empty where each outcome names its own. */
  readonly id: string;
  /** One for each item that is written together. */
  readonly items: readonly ItemOutcome[];
  /** While more is to be sent: IDs of the files that are to be removed after it, or of records asked to be deleted. */
  readonly open?: readonly string[];
  /** Why the write has failed although it stands: of the files that it added, some are missing, or none was seen. */
  readonly fault?: Readonly<Pick<ServiceError, 'message' | 'description'>>;
}

/** Where a write says how far it has come. Whatever fails afterwards, a further try begins where this one ended. */
export interface Checkpoint {
  /** Of the items that it is for, also where an earlier try has begun it. */
  readonly indexes: readonly number[];
  /** What this or an earlier try has reached, as of now; `null` for nothing. */
  readonly progress: Progress | null;
  /** An earlier try ended without knowing the outcome. */
  readonly doubt: ServiceError | null;
  /** To be called the moment the service has done it; of deletions, just before each request, with `open`. */
  recordProgress(progress: Progress): void;
}
