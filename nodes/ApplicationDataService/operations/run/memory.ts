import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../parts/values/shapes';
import { isConflict, isInDoubt, ServiceError } from '../../service/http/errors';
import { mask } from '../../service/http/credentials';
import type { Checkpoint, ItemOutcome, Progress } from '../../service/write/checkpoint';
import { longHash } from '../../util/hashText';

/** Where the node's context keeps the writes of one run. */
const KEY = 'writes';

/** Used instead of an item's index for work that belongs to no item. */
export const NO_ITEM = -1;

/**
 * What is kept of a write: nothing of the record's values, but the keys of Sync's removals; of failures what they say,
 * which may name files. Plain JSON, because n8n stores it with the execution.
 */
interface Write {
  /** The items that it was for: rows of one record are written together. */
  readonly indexes: readonly number[];
  /** Hash of the operation, the application and the record. */
  readonly target: string;
  /** Hash of what is sent. */
  readonly fingerprint: string;
  done?: Progress;
  /** It may or may not be done. Only the tries of one execution share that: who retries a failed one has checked. */
  doubt?: Pick<ServiceError, 'message' | 'description'> & {
    readonly execution: string | undefined;
    readonly details: Pick<ServiceError['details'], 'action' | 'ids' | 'underRevision'>;
  };
}

/** The writes of one run of the node, which loops run several times, as n8n keeps them; of an agent, of its calls. */
interface Store {
  readonly run: string;
  writes: Write[];
}

/** `isOpen`: not all of it. */
interface WrittenItem extends Pick<ItemOutcome, 'outcome'> {
  readonly ids: readonly string[];
  readonly isOpen: boolean;
}

const WRITTEN: readonly ItemOutcome['outcome'][] = ['created', 'updated', 'deleted'];

/**
 * Remembers what was written: with Retry On Fail, and to retry an execution, n8n runs the whole node again. An agent's
 * runs and items say nothing: what one of its calls wrote is known to another one for the same if it failed, because
 * who asks again after a success wants it twice.
 */
export class WriteMemory {
  private readonly store: Store;
  private readonly isRepeated: boolean;
  /** What earlier tries have left, by item. */
  private readonly earlier = new Map<number, Write[]>();
  /** The writes that this try has reached, by item. */
  private readonly reached = new Map<number, Write>();
  private readonly operation: readonly unknown[];
  /** Where an MCP client calls the node, n8n gives none. */
  private readonly execution: string | undefined;
  /** IDs of the records that items have written, in this try or an earlier one. */
  readonly writtenIds: Set<string>;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly byAgent: boolean,
  ) {
    const { resource, operation } = context.getNode().parameters;
    this.operation = [resource, operation];
    this.execution = context.getExecutionId();
    const kept = context.getContext('node');
    const run = byAgent ? 'calls' : String(context.getWorkflowDataProxy(0).$runIndex);
    const stored = kept[KEY] as Store | undefined;
    this.isRepeated = stored?.run === run;
    this.store = this.isRepeated ? stored! : { run, writes: [] };
    kept[KEY] = this.store;
    this.writtenIds = new Set(this.store.writes.map(({ done }) => done?.id ?? ''));
    for (const write of byAgent ? [] : this.store.writes.filter(isKnown))
      for (const item of write.indexes) this.earlier.set(item, [...(this.earlier.get(item) ?? []), write]);
  }

  /**
   * The checkpoint of a write, which this try has now reached.
   * @param indexes of the items that it is for, or {@link NO_ITEM}
   * @param target IDs of the application and the record.
   * @param differs told if the write was done, with another request than this one.
   * @throws ServiceError the doubt of an earlier try that has sent something else: no record can tell then.
   */
  checkpoint(
    indexes: readonly [number, ...number[]],
    target: readonly string[],
    request: unknown,
    differs?: () => void,
  ): Checkpoint {
    const own: Write = { indexes, target: this.hashOfTarget(target), fingerprint: fingerprintOf(request) };
    const write = this.byAgent ? this.takeCall(own) : this.takeTry(own);
    for (const item of indexes) this.reached.set(item, write);
    const doubt = this.openDoubt(write);
    if (write.fingerprint !== own.fingerprint) {
      if (doubt !== null) throw doubt;
      // Of fewer items than were written together, it is not known what they have sent.
      if (write.done !== undefined && write.indexes.length === indexes.length) differs?.();
    }
    return {
      indexes: write.indexes,
      get progress() {
        return write.done ?? null;
      },
      doubt,
      recordProgress: (progress) => {
        write.done = progress;
        delete write.doubt;
        this.writtenIds.add(progress.id);
      },
    };
  }

  /** Of several items that name one target, those with the same text were written together. */
  writtenWith(item: number, target: readonly string[]): string {
    const hash = this.hashOfTarget(target);
    const write = this.earlier.get(item)?.find((each) => each.target === hash);
    return write?.indexes.join() ?? '';
  }

  /** Whether an earlier try has begun the write of an item. */
  isBegun(item: number): boolean {
    return this.earlier.has(item);
  }

  /** Whether this try has come to the write of an item. */
  isReached(item: number): boolean {
    return this.reached.has(item);
  }

  /** What an item's write ended in, if it is not known what became of it. */
  doubtOf(item: number): ServiceError | null {
    return this.writesOf(item).flatMap((write) => this.openDoubt(write) ?? [])[0] ?? null;
  }

  /** What became of an item that this or an earlier try has written; `null` if nothing is known to be written. */
  writtenBy(item: number): WrittenItem | null {
    const [write] = this.writesOf(item);
    const own = write?.done?.items[Math.max(0, write.indexes.indexOf(item))];
    if (own === undefined || !WRITTEN.includes(own.outcome)) return null;
    const { id, open } = write!.done!;
    return { outcome: own.outcome, ids: own.ids ?? [id], isOpen: open !== undefined };
  }

  /**
   * Ends a try. It is kept while another can come: with Retry On Fail, of which n8n 1.x takes all tries of a node that
   * continues, or where the node throws; what an agent's call has left, if it failed.
   * @param failed items, each with what it failed with.
   */
  endTry(succeeded: boolean, failed: Iterable<readonly [item: number, error: unknown]>): void {
    for (const [item, error] of failed) {
      const write = this.reached.get(item);
      if (write === undefined) continue;
      // That a record has moved is known once a doubt is settled.
      if (isConflict(error)) delete write.doubt;
      const isDone = write.done !== undefined && write.done.open === undefined;
      if (isInDoubt(error) && !isDone) write.doubt = doubtIn(error, this.execution);
    }
    if (this.byAgent) {
      if (!succeeded) this.store.writes.push(...[...this.reached.values()].filter(isKnown));
      return;
    }
    const canRetry = this.context.getNode().retryOnFail === true || !this.context.continueOnFail();
    if (!canRetry || (succeeded && !this.isRepeated)) delete this.context.getContext('node')[KEY];
  }

  /** The write that an earlier try has begun, else the own one. */
  private takeTry(own: Write): Write {
    const begun = this.earlier.get(own.indexes[0]!)?.find((each) => each.target === own.target);
    if (begun === undefined) this.store.writes.push(own);
    return begun ?? own;
  }

  /** The write of an earlier call for the same, which another call at the same time must not take, too. */
  private takeCall(own: Write): Write {
    const begun = this.store.writes.find(
      (each) => each.target === own.target && each.fingerprint === own.fingerprint,
    );
    this.store.writes = this.store.writes.filter((each) => each !== begun);
    return begun ?? own;
  }

  private writesOf(item: number): readonly Write[] {
    const reached = this.reached.get(item);
    return reached === undefined ? (this.earlier.get(item) ?? []) : [reached];
  }

  private hashOfTarget(target: readonly string[]): string {
    return longHash(JSON.stringify([...this.operation, ...target]));
  }

  private openDoubt({ doubt }: Write): ServiceError | null {
    if (doubt === undefined || doubt.execution !== this.execution) return null;
    return new ServiceError('inDoubt', doubt.message, doubt.description, doubt.details);
  }
}

/** Whether a further try must know it. */
function isKnown({ done, doubt }: Write): boolean {
  return done !== undefined || doubt !== undefined;
}

function doubtIn(
  { message, description, details }: ServiceError,
  execution: string | undefined,
): Write['doubt'] {
  const { action, ids, underRevision } = details;
  return {
    execution,
    message: mask(message),
    description: mask(description),
    details: {
      ...(action && { action }),
      ...(ids && { ids }),
      ...(underRevision !== undefined && { underRevision }),
    },
  };
}

/** Of a part that is written, its ID says enough. */
function fingerprintOf(request: unknown): string {
  const text = JSON.stringify(request, (_, value: unknown) =>
    isObject(value) && 'children' in value ? value.id : value,
  );
  return longHash(text);
}

/** Whether an AI agent runs the node. Of recent agents only its type shows that: n8n appends "Tool" to it. */
export function isAgentRun(context: IExecuteFunctions): boolean {
  // n8n 1.x does not have it.
  const isTool = 'isToolExecution' in context && context.isToolExecution();
  return isTool || context.getNode().type.endsWith('Tool');
}
