import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../http/errors';

/** What the service has done for a write. Plain JSON, because it outlives a try of the node. */
export interface Done extends IDataObject {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** What the plan found out besides: IDs and numbers, each operation's own. */
  found?: IDataObject;
  /** How many of the steps that follow the first request are done; absent once all are. */
  steps?: number;
}

/** Where a write says how far it has come. Whatever fails afterwards, a further try begins where this one ended. */
export interface Checkpoint<T extends IDataObject = Done> {
  /** The items that it is for, also where an earlier try has begun it. */
  readonly items: readonly number[];
  /** What this or an earlier try has reached; `null` for nothing. */
  readonly done: T | null;
  /** An earlier try ended without knowing the outcome: of the write, or of its next step. */
  readonly indeterminate: ServiceError | null;
  /** What is sent now differs from what the earlier try sent. */
  readonly isOther: boolean;
  /** To be called the moment the service has done it. */
  recordProgress(done: T): void;
}
