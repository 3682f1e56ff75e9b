import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject, readText } from '../../parts/values/shapes';
import { isConflict, isIndeterminate, ServiceError } from '../../service/http/errors';
import { mask } from '../../service/http/secrets';
import type { Checkpoint } from '../../service/write/writeRecord';
import { hashText } from '../../util/hashText';
import { messageOf, UserError } from '../../util/userError';

/** Where the node's context keeps the writes of one run. */
const KEY = 'writes';

/** Used instead of an item's index for work that belongs to no item. */
export const NO_ITEM = -1;

/** What is kept of a write: nothing of the record's content. Plain JSON, because n8n stores it with the execution. */
interface Write {
  /** Those that it was for: rows of one record are written together. */
  readonly items: readonly number[];
  /** Hash of the operation, the application and the record. */
  readonly target: string;
  readonly sent: string;
  done?: IDataObject;
  /** It may or may not be done. Only the tries of one execution share that: who retries a failed one has checked. */
  doubt?: Pick<ServiceError, 'message' | 'description'> & {
    readonly execution: string;
    readonly details: Pick<ServiceError['details'], 'action' | 'ids' | 'sent'>;
  };
}

/**
 * Remembers what was written: with Retry On Fail, and to retry an execution, n8n runs the whole node again. What an
 * agent's call wrote is known to another call only if it failed: who asks twice for the same wants it twice.
 */
export class WriteMemory {
  /** The run of the node, which loops run several times, and its writes. Another run begins with an empty memory. */
  private readonly store: { readonly run: string; writes: Write[] };
  private readonly isRepeated: boolean;
  /** What earlier tries have left, by item; nothing for an agent's calls, whose runs and items say nothing. */
  private readonly earlier = new Map<number, Write[]>();
  /** The writes that this try has reached, by item. */
  private readonly reached = new Map<number, Write>();
  private readonly operation: readonly unknown[];
  /** IDs of the records that items have written, in this try or an earlier one. */
  readonly writtenIds: Set<string>;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly byAgent: boolean,
  ) {
    const { resource, operation } = context.getNode().parameters;
    this.operation = [resource, operation];
    const run = byAgent ? 'calls' : String(context.getWorkflowDataProxy(0).$runIndex);
    const kept = context.getContext('node');
    const stored = kept[KEY] as WriteMemory['store'] | undefined;
    this.isRepeated = stored?.run === run;
    this.store = this.isRepeated ? stored! : { run, writes: [] };
    kept[KEY] = this.store;
    this.writtenIds = new Set(this.store.writes.map(({ done }) => readText(done?.id)));
    for (const write of byAgent ? [] : this.store.writes.filter(isOpen))
      for (const item of write.items) this.earlier.set(item, [...(this.earlier.get(item) ?? []), write]);
  }

  /**
   * The checkpoint of a write, which this try has now reached.
   * @param items those that it is for, or {@link NO_ITEM}
   * @param target IDs of the application and the record.
   */
  checkpoint<T extends IDataObject>(
    items: readonly [number, ...number[]],
    target: readonly string[],
    request: unknown,
  ): Checkpoint<T> {
    const own: Write = { items, target: this.hashOfTarget(target), sent: fingerprint(request) };
    const known = this.byAgent
      ? this.store.writes.find((each) => each.target === own.target && each.sent === own.sent)
      : this.earlierWrite(items[0], target);
    const write = known ?? own;
    for (const item of items) this.reached.set(item, write);
    // Another call of an agent, at the same time, must not take it, too.
    if (this.byAgent) this.store.writes = this.store.writes.filter((each) => each !== write);
    else if (write === own) this.store.writes.push(own);
    return {
      items: write.items,
      get done() {
        return (write.done as T | undefined) ?? null;
      },
      indeterminate: this.openDoubt(write),
      isOther: write.sent !== own.sent,
      recordProgress: (done) => {
        write.done = done;
        delete write.doubt;
        this.writtenIds.add(readText(done.id));
      },
    };
  }

  /** Of several items that name one target, those with the same text were written together. */
  writtenWith(item: number, target: readonly string[]): string {
    return this.earlierWrite(item, target)?.items.join() ?? '';
  }

  /** Whether an earlier try has begun the write of an item. */
  isBegun(item: number): boolean {
    return this.earlier.has(item);
  }

  /**
   * What to report for an item that failed or was not begun (`error` undefined). Before its write was judged, the cause
   * says nothing about what an earlier try did: that is still in doubt, or finished.
   */
  failureOf(item: number, error: unknown): unknown {
    if (isIndeterminate(error)) return error;
    const writes = this.writesOf(item);
    const [open] = writes.flatMap((write) => this.openDoubt(write) ?? []);
    if (open !== undefined) return open;
    const outcome = this.writtenBy(item) === null ? undefined : writes[0]?.done?.outcome;
    if (this.reached.has(item) || typeof outcome !== 'string' || error === undefined) return error;
    return new UserError(
      `An earlier try wrote this item (${outcome}), but a further try failed: ${messageOf(error)}`,
      'The write itself is finished; do not repeat it.',
    );
  }

  /** IDs of what an item has written, in this try or an earlier one; `null` if nothing is known to be written. */
  writtenBy(item: number): readonly string[] | null {
    const [write] = this.writesOf(item);
    if (write?.done === undefined) return null;
    const { id, ids = id, found, ...done } = write.done;
    const { outcomes = [] } = (found ?? {}) as { readonly outcomes?: readonly IDataObject[] };
    const outcome = outcomes[write.items.indexOf(item)]?.outcome ?? done.outcome;
    if (typeof outcome === 'string' && !['created', 'updated', 'deleted'].includes(outcome)) return null;
    const texts = [ids].flat().map(readText);
    const written = texts.filter((text) => text !== '');
    return outcome === undefined && written.length === 0 ? null : written;
  }

  /**
   * Ends a try. If no item failed in the first one, n8n does not run them again: nothing needs to be stored with the
   * execution. After another try it is kept, because n8n 1.x takes all tries of a node with Continue On Fail.
   * @param failed items, each with what it failed with.
   */
  endTry(succeeded: boolean, failed: Iterable<readonly [item: number, error: unknown]>): void {
    for (const [item, error] of failed) {
      const write = this.reached.get(item);
      if (write === undefined) continue;
      // That a record has moved is known once a doubt is settled.
      if (isConflict(error)) delete write.doubt;
      const isDone = write.done?.outcome !== undefined && write.done.steps === undefined;
      if (!isIndeterminate(error) || isDone) continue;
      const known = Object.entries(error.details).filter(([key]) => ['action', 'ids', 'sent'].includes(key));
      const details = Object.fromEntries(known) as NonNullable<Write['doubt']>['details'];
      const [message, description] = [mask(error.message), mask(error.description)];
      write.doubt = { execution: this.context.getExecutionId(), message, description, details };
    }
    if (this.byAgent) this.store.writes.push(...(succeeded ? [] : [...this.reached.values()].filter(isOpen)));
    else if (succeeded && !this.isRepeated) delete this.context.getContext('node')[KEY];
  }

  private writesOf(item: number): readonly Write[] {
    const reached = this.reached.get(item);
    return reached === undefined ? (this.earlier.get(item) ?? []) : [reached];
  }

  private earlierWrite(item: number, target: readonly string[]): Write | undefined {
    const hash = this.hashOfTarget(target);
    return this.earlier.get(item)?.find((each) => each.target === hash);
  }

  private hashOfTarget(target: readonly string[]): string {
    return hashOf(JSON.stringify([...this.operation, ...target]));
  }

  private openDoubt({ doubt }: Write): ServiceError | null {
    if (doubt?.execution !== this.context.getExecutionId()) return null;
    return new ServiceError('outcomeUnknown', doubt.message, doubt.description, doubt.details);
  }
}

/** Whether a further try must know it. */
function isOpen({ done, doubt }: Write): boolean {
  return done !== undefined || doubt !== undefined;
}

/** Two different texts have the same hash once in 2^64. */
function hashOf(text: string): string {
  return [hashText(text), hashText(text, 0x9e3779b9)].map((hash) => hash.toString(36)).join('');
}

/** Of a part that is written, its ID says enough. */
function fingerprint(request: unknown): string {
  const text = JSON.stringify(request, (_, value: unknown) =>
    isObject(value) && 'children' in value ? value.id : value,
  );
  return hashOf(text);
}

/** Whether an AI agent runs the node. Of recent agents only its type shows that: n8n appends "Tool" to it. */
export function isAgentRun(context: IExecuteFunctions): boolean {
  // n8n 1.x does not have it.
  const isTool = 'isToolExecution' in context && context.isToolExecution();
  return isTool || context.getNode().type.endsWith('Tool');
}
