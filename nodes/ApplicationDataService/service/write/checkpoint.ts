import type { IDataObject } from 'n8n-workflow';

import type { WriteContext } from '../../parts/model/codec';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { settle } from '../../util/concurrently';
import { type CurrentRecord, valueOf } from '../read/records';

/** What the service has done for a write. Plain JSON, because it outlives a try of the node. */
export interface Done extends IDataObject {
  /** Of the record. */
  id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** What the plan found out besides; each operation's own. */
  found?: IDataObject;
  /** Attachments that were sent and are not verified yet; by what was there before, they are verified. */
  pending?: IDataObject & {
    /** The parts that the write concerned as they were, by their keys. */
    readonly before: IDataObject;
    /** The revision that the write was sent under; `null` for a new record, or once further files have been sent. */
    readonly revision: number | null;
    /** Whether the service answered that it had done it. */
    readonly isAnswered: boolean;
  };
  /** Names under which the service keeps the uploaded files, as far as they are verified. */
  files?: string[];
  /** Of these, the ones that the service changed, each with how. */
  altered?: string[];
  /** The first of the items that were written together, as a text. */
  group?: string;
  /** What the service said when it refused the write although it had done it. */
  said?: string;
}

/** A write whose attachments are not verified yet. */
export type Unverified = Done & Required<Pick<Done, 'pending'>>;

export function isUnverified(done: Done): done is Unverified {
  return done.pending !== undefined;
}

/**
 * Where a write says how far it has come. Whatever fails afterwards - verifying, reading back, presenting - a further
 * try begins where this one ended.
 */
export interface Checkpoint<T extends IDataObject = Done> {
  /** What an earlier try has reached; `null` for nothing. */
  readonly done: T | null;
  /** An earlier try ended without knowing its outcome: the write may or may not have been done. */
  readonly indeterminate: Error | null;
  /** To be called the moment the service has done it. */
  recordProgress(done: T): void;
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

/** Some parts of a record as plain JSON, by their keys. */
export function partsBefore(
  parts: readonly Part[],
  before: Pick<CurrentRecord, 'record'>,
  context: WriteContext,
): IDataObject {
  const held = parts.map((part) => [
    outputKey(partKey(part, context.keyMode)),
    valueOf(before.record, part, context),
  ]);
  return Object.fromEntries(held.filter(([, value]) => value !== undefined)) as IDataObject;
}
