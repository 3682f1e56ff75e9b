import type { IDataObject } from 'n8n-workflow';

import { settle } from '../../util/concurrently';
import type { ServiceError } from '../http/errors';

/** What the service has done for a write. Plain JSON, because it outlives a try of the node. */
export interface Done extends IDataObject {
  /** Of the record. */
  id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** What the plan found out besides: IDs and numbers, each operation's own. */
  found?: IDataObject;
  /** How many of the steps that follow the first request are done; absent once all are. */
  steps?: number;
  /** The next of these may or may not have been done. */
  doubt?: { message: string; description: string; revision: number };
  /** The items that were written together. */
  group?: string;
}

/**
 * Where a write says how far it has come. Whatever fails afterwards - its further steps, reading back, presenting - a
 * further try begins where this one ended.
 */
export interface Checkpoint<T extends IDataObject = Done> {
  /** What an earlier try has reached; `null` for nothing. */
  readonly done: T | null;
  /** An earlier try ended without knowing its outcome: the write may or may not have been done. */
  readonly indeterminate: ServiceError | null;
  /** What is sent now differs from what the earlier try sent. */
  readonly isOther?: boolean;
  /** To be called the moment the service has done it. */
  recordProgress(done: T): void;
  /** To be called with what the write ended in. */
  failed(error: unknown): void;
}

/**
 * Does a write, and tells its checkpoint if it fails.
 * @throws ServiceError what an earlier try ended in, if it does not know its outcome and has sent something else: no
 * record can tell that.
 */
export async function guarded<T>(
  checkpoint: Pick<Checkpoint, 'failed' | 'indeterminate' | 'isOther'>,
  write: () => Promise<T>,
): Promise<T> {
  const { isOther, indeterminate } = checkpoint;
  const isUntold = isOther === true && indeterminate !== null;
  const written = isUntold ? { error: indeterminate } : await settle(write);
  if ('value' in written) return written.value;
  checkpoint.failed(written.error);
  throw written.error;
}
