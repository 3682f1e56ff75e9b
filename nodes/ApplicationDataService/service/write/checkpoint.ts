import type { IDataObject } from 'n8n-workflow';

import { settle } from '../../util/concurrently';
import type { SentFiles } from './sentFiles';

/** What the service has done for a write. Plain JSON, because it outlives a try of the node. */
export interface Done extends IDataObject {
  /** Of the record. */
  id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** What the plan found out besides; each operation's own. */
  found?: IDataObject;
  /** Attachments that were sent and are not verified yet. */
  unverified?: SentFiles & IDataObject;
  /** Names under which the service keeps the uploaded files, once they are verified. */
  files?: string[];
  /** Of these, the ones that the service changed, each with how. */
  altered?: string[];
}

/**
 * Where a write says how far it has come. Whatever fails afterwards - verifying, reading back, presenting - a further try
 * begins where this one ended.
 */
export interface Checkpoint<T extends IDataObject = Done> {
  /** What an earlier try has reached; `null` for nothing. */
  readonly done: T | null;
  /** The doubt in which an earlier try ended: the write may or may not have been done. */
  readonly doubt: Error | null;
  /** To be called the moment the service has done it. */
  reached(done: T): void;
  /** To be called with what the write ended in. */
  failed(error: unknown): void;
}

/** Does a write, and tells its checkpoint if it fails. */
export async function guarded<T>(
  checkpoint: Pick<Checkpoint, 'failed'>,
  write: () => Promise<T>,
): Promise<T> {
  const written = await settle(write);
  if ('value' in written) return written.value;
  checkpoint.failed(written.error);
  throw written.error;
}
