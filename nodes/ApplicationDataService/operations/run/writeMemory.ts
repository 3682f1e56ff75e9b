import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { isDoubt, ServiceError } from '../../service/http/errors';
import { isAgentRun } from './agent';
import { settle } from '../../util/concurrently';

/** Where the finished writes of one run stand in the node's context. */
const KEY = 'finishedWrites';

interface FinishedWrites {
  /** Run of the node (loops run it several times) and what it writes to; another one starts afresh. */
  run: string;
  /** By item index. */
  outcomes: Record<string, IDataObject>;
  /** Writes that may or may not have been done, by item index. */
  doubts: Record<string, Doubt>;
}

interface Doubt extends IDataObject {
  /** A person who retries a failed execution has looked before: only the tries of one execution share doubts. */
  execution: string;
  message: string;
  description: string;
  action: string;
}

/**
 * Remembers the writes that are finished. With Retry On Fail n8n runs the whole node again, also for the items that
 * succeeded, and so does retrying a failed execution: what was written is then answered from here, not written again.
 */
export class WriteMemory {
  private known: FinishedWrites | undefined;
  /** Whether there was a try before this one. */
  private isRepeated = false;
  /** Items whose write this try has come to. */
  private readonly reached = new Set<number>();

  constructor(
    private readonly context: IExecuteFunctions,
    /** An agent may call the same run of a tool several times: only an equal request counts as the same. */
    private readonly perRequest = isAgentRun(context),
  ) {}

  /**
   * Gives the remembered outcome of this item's write, or does it and remembers it. A write that may have been done is
   * not done again.
   * @param request what would be sent; tells an agent's calls apart.
   * @param settleDoubt finds out what became of a write in doubt, or throws the doubt; without it, it stays in doubt.
   */
  async once<T extends IDataObject>(
    itemIndex: number,
    request: unknown,
    write: () => Promise<T>,
    settleDoubt: (doubt: ServiceError) => Promise<T> = async (doubt) => await Promise.reject(doubt),
  ): Promise<T> {
    this.reached.add(itemIndex);
    const known = this.recall(itemIndex, request);
    if (known !== undefined) return known as T;
    const doubt = this.doubtOf(itemIndex, request);
    const written = await settle(doubt === null ? write : async () => await settleDoubt(doubt));
    if ('error' in written) {
      if (isDoubt(written.error)) this.keepDoubt(itemIndex, request, written.error);
      // What became of it is known: another failure came after that.
      else delete this.finished().doubts[this.keyOf(itemIndex, request)];
      throw written.error;
    }
    this.keep(itemIndex, request, written.value);
    return written.value;
  }

  /** Whether an action for this item is in doubt since an earlier try. */
  isInDoubt(itemIndex: number, action: string): boolean {
    return this.doubtsOf(itemIndex).some(([, doubt]) => doubt.action === action);
  }

  /**
   * What to tell of an item that failed or was not begun in this try. Where it failed before its write was looked at, the
   * cause says nothing about what an earlier try did: that is still in doubt, or finished.
   * @param error `undefined` where it was not begun
   */
  failureOf(itemIndex: number, error: unknown): unknown {
    if (this.reached.has(itemIndex) || isDoubt(error)) return error;
    const { outcomes } = this.finished();
    const open = this.doubtsOf(itemIndex).find(([key]) => outcomes[key] === undefined);
    if (open !== undefined) return asError(open[1]);
    const outcome = this.perRequest ? undefined : outcomes[itemIndex]?.outcome;
    return typeof outcome === 'string' && error !== undefined ? afterEarlierTry(outcome, error) : error;
  }

  /** Of this execution, by key: an agent's keys hold the request as well. */
  private doubtsOf(itemIndex: number): [string, Doubt][] {
    return Object.entries(this.finished().doubts).filter(
      ([key, doubt]) => key.split(' ', 1)[0] === String(itemIndex) && this.isOwn(doubt),
    );
  }

  private isOwn({ execution }: Doubt): boolean {
    return execution === this.context.getExecutionId();
  }

  private doubtOf(itemIndex: number, request: unknown): ServiceError | null {
    const doubt = this.finished().doubts[this.keyOf(itemIndex, request)];
    return doubt !== undefined && this.isOwn(doubt) ? asError(doubt) : null;
  }

  private keepDoubt(itemIndex: number, request: unknown, failure: ServiceError): void {
    const { message, description, details } = failure;
    const execution = this.context.getExecutionId();
    const doubt: Doubt = { execution, message, description, action: details.action ?? '' };
    this.finished().doubts[this.keyOf(itemIndex, request)] = doubt;
  }

  /** The remembered outcome of this item's write, if it was finished before. */
  recall(itemIndex: number, request: unknown): IDataObject | undefined {
    return this.finished().outcomes[this.keyOf(itemIndex, request)];
  }

  keep(itemIndex: number, request: unknown, outcome: IDataObject): void {
    this.finished().outcomes[this.keyOf(itemIndex, request)] = outcome;
  }

  private keyOf(itemIndex: number, request: unknown): string {
    return this.perRequest ? `${itemIndex} ${JSON.stringify(request)}` : String(itemIndex);
  }

  /**
   * Ends a try that gives its items on. Where no item failed in the first one, n8n does not run them again: nothing needs
   * to be kept, or stored with the execution. After another try it is kept, because n8n 1.x takes all tries of a node
   * with Continue On Fail, also those after one that succeeded.
   */
  endTry(succeeded: boolean): void {
    this.finished();
    if (!succeeded || (this.isRepeated && !this.perRequest)) return;
    this.known = undefined;
    delete this.context.getContext('node')[KEY];
  }

  private finished(): FinishedWrites {
    this.known ??= this.read();
    return this.known;
  }

  private read(): FinishedWrites {
    const { resource, operation, application } = this.context.getNode().parameters;
    const runIndex: unknown = this.context.getWorkflowDataProxy(0).$runIndex;
    const run = JSON.stringify([runIndex, resource, operation, application]);
    const store = this.context.getContext('node');
    const stored = store[KEY] as FinishedWrites | undefined;
    this.isRepeated = stored?.run === run;
    if (stored?.run === run) return stored;
    const fresh: FinishedWrites = { run, outcomes: {}, doubts: {} };
    store[KEY] = fresh;
    return fresh;
  }
}

function asError({ message, description, action }: Doubt): ServiceError {
  return new ServiceError('outcomeUnknown', message, description, { action });
}

function afterEarlierTry(outcome: string, error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UserError(
    `An earlier try has written this item (${outcome}), but a further try failed: ${reason}`,
    'The write itself is finished; do not repeat it.',
  );
}
