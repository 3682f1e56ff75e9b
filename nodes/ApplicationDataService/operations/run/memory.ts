import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readText } from '../../parts/values/shapes';
import { isIndeterminate, ServiceError } from '../../service/http/errors';
import type { Checkpoint } from '../../service/write/checkpoint';
import { mask } from '../../service/http/secrets';
import { messageOf, UserError } from '../../util/userError';

/** Where the node's context keeps the writes of one run. */
const KEY = 'writes';

/** Used instead of an item's index for work that belongs to no item. */
export const NO_ITEM = -1;

/** Outcomes of items that changed something. */
const WRITTEN: ReadonlySet<string> = new Set(['created', 'updated', 'deleted']);

interface Writes {
  /**
   * The run of the node (loops run it several times) and what it writes to. A different run starts with an empty
   * memory.
   */
  run: string;
  /** What the service has done, by item index. */
  done: Record<string, IDataObject>;
  /** Writes that may or may not have been done, by item index. */
  unknownWrites: Record<string, IndeterminateWrite>;
}

interface IndeterminateWrite extends IDataObject {
  /** A person who retries a failed execution has checked first, so only the tries of one execution share them. */
  execution: string;
  message: string;
  description: string;
  action: string;
  /** What a change was sent under (`FailureDetails`). */
  sent?: { revision: number; group?: string };
}

/**
 * Remembers what was written. With Retry On Fail n8n runs the whole node again, also for the items that succeeded, and
 * so does retrying a failed execution. The memory then knows what the service has already done, so that it is not done
 * again.
 */
export class WriteMemory {
  private known: Writes | undefined;
  /** Whether there was a try before this one. */
  private isRepeated = false;
  /** Under which key the write of an item is kept that this try has reached. */
  private readonly keys = new Map<number, string>();

  constructor(
    private readonly context: IExecuteFunctions,
    /** An agent may call the same run of a tool several times: only an equal request counts as the same. */
    private readonly perRequest = isAgentRun(context),
  ) {}

  /**
   * The checkpoint of an item's write, which this try has now reached.
   * @param itemIndex or {@link NO_ITEM}
   * @param request what is asked for; distinguishes the calls of an agent.
   */
  checkpoint<T extends IDataObject>(itemIndex: number, request: unknown): Checkpoint<T> {
    const key = this.perRequest ? `${itemIndex} ${JSON.stringify(request)}` : String(itemIndex);
    this.keys.set(itemIndex, key);
    const writes = this.writes();
    const indeterminate = writes.unknownWrites[key];
    return {
      done: (writes.done[key] as T | undefined) ?? null,
      indeterminate: indeterminate !== undefined && this.isOwn(indeterminate) ? asError(indeterminate) : null,
      recordProgress: (done) => {
        writes.done[key] = done;
        delete writes.unknownWrites[key];
      },
      failed: (error) => {
        // A failure after the service has done it leaves no doubt about the write itself.
        if (isIndeterminate(error) && writes.done[key]?.outcome === undefined) {
          // n8n stores it with the execution.
          const [message, description] = [mask(error.message), mask(error.description)];
          const { details } = error;
          const { action = '', sent } = details;
          const execution = this.context.getExecutionId();
          writes.unknownWrites[key] = { execution, message, description, action, ...(sent && { sent }) };
        } else delete writes.unknownWrites[key];
      },
    };
  }

  /** Whether an earlier try has begun the write of an item. */
  isBegun(itemIndex: number): boolean {
    const { done, unknownWrites } = this.writes();
    return Object.hasOwn(done, itemIndex) || Object.hasOwn(unknownWrites, itemIndex);
  }

  /**
   * What to report for an item that failed or was not begun in this try. If it failed before its write was reached, the
   * cause says nothing about what an earlier try did: that is still in doubt, or finished.
   * @param error `undefined` if it was not begun
   */
  failureOf(itemIndex: number, error: unknown): unknown {
    if (this.keys.has(itemIndex) || isIndeterminate(error)) return error;
    const { done, unknownWrites } = this.writes();
    const open = Object.entries(unknownWrites).find(
      ([key, indeterminate]) =>
        key.split(' ', 1)[0] === String(itemIndex) && this.isOwn(indeterminate) && !(key in done),
    );
    if (open !== undefined) return asError(open[1]);
    const outcome = this.writtenBy(itemIndex) === null ? undefined : done[itemIndex]?.outcome;
    if (typeof outcome !== 'string' || error === undefined) return error;
    return new UserError(
      `An earlier try wrote this item (${outcome}), but a further try failed: ${messageOf(error)}`,
      'The write itself is finished; do not repeat it.',
    );
  }

  /**
   * IDs of what an item has written, in this try or an earlier one; `null` if it is not known to have written anything.
   */
  writtenBy(itemIndex: number): readonly string[] | null {
    const key = this.keys.get(itemIndex) ?? (this.perRequest ? '' : String(itemIndex));
    const { id, ids, found, ...done } = this.writes().done[key] ?? {};
    // Of items that were written together, each has found an outcome of its own.
    const outcome = (found as IDataObject | undefined)?.outcome ?? done.outcome;
    if (typeof outcome === 'string' && !WRITTEN.has(outcome)) return null;
    const written = Array.isArray(ids) ? ids.map(readText) : [readText(id)].filter((text) => text !== '');
    return outcome === undefined && written.length === 0 ? null : written;
  }

  /** IDs of the records that items have written, in this try or an earlier one. */
  writtenIds(): ReadonlySet<string> {
    return new Set(Object.values(this.writes().done).map(({ id }) => readText(id)));
  }

  /**
   * Ends a try that passes its items on. If no item failed in the first one, n8n does not run them again: nothing needs
   * to be kept, or stored with the execution. After another try it is kept, because n8n 1.x takes all tries of a node
   * with Continue On Fail, also those after one that succeeded.
   */
  endTry(succeeded: boolean): void {
    this.writes();
    if (!succeeded || (this.isRepeated && !this.perRequest)) return;
    this.known = undefined;
    delete this.context.getContext('node')[KEY];
  }

  private isOwn({ execution }: IndeterminateWrite): boolean {
    return execution === this.context.getExecutionId();
  }

  private writes(): Writes {
    if (this.known !== undefined) return this.known;
    const { resource, operation, application } = this.context.getNode().parameters;
    const runIndex: unknown = this.context.getWorkflowDataProxy(0).$runIndex;
    const run = JSON.stringify([runIndex, resource, operation, application]);
    const store = this.context.getContext('node');
    const stored = store[KEY] as Writes | undefined;
    this.isRepeated = stored?.run === run;
    store[KEY] = this.known = stored?.run === run ? stored : { run, done: {}, unknownWrites: {} };
    return this.known;
  }
}

function asError({ message, description, action, sent }: IndeterminateWrite): ServiceError {
  return new ServiceError('outcomeUnknown', message, description, { action, ...(sent && { sent }) });
}

/**
 * Whether an AI agent runs the node, as one of its tools. n8n's recent agents run a tool as they run any node, and only
 * its type shows that: n8n appends "Tool" to it.
 */
export function isAgentRun(context: IExecuteFunctions): boolean {
  // n8n 1.x does not have it.
  const isTool = 'isToolExecution' in context && context.isToolExecution();
  return isTool || context.getNode().type.endsWith('Tool');
}
