import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** Where the finished writes of one run stand in the node's context. */
const KEY = 'finishedWrites';

interface FinishedWrites {
  /** Run of the node (loops run it several times) and what it writes to; another one starts afresh. */
  run: string;
  /** By item index. */
  outcomes: Record<string, IDataObject>;
}

/**
 * Remembers the writes that are finished. With Retry On Fail n8n runs the whole node again, also for the items that
 * succeeded, and so does retrying a failed execution: what was written is then answered from here, not written again.
 */
export class WriteMemory {
  private known: FinishedWrites | undefined;

  constructor(
    private readonly context: IExecuteFunctions,
    /** An agent may call the same run of a tool several times: only an equal request counts as the same. */
    private readonly perRequest = context.isToolExecution(),
  ) {}

  /**
   * Gives the remembered outcome of this item's write, or does it and remembers it.
   * @param request what would be sent; tells an agent's calls apart.
   */
  async once<T extends IDataObject>(
    itemIndex: number,
    request: unknown,
    write: () => Promise<T>,
  ): Promise<T> {
    const known = this.recall(itemIndex, request);
    if (known !== undefined) return known as T;
    const outcome = await write();
    this.keep(itemIndex, request, outcome);
    return outcome;
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

  /** No item failed, so n8n will not run them again: nothing needs to be kept, or stored with the execution. */
  clear(): void {
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
    if (stored?.run === run) return stored;
    const fresh: FinishedWrites = { run, outcomes: {} };
    store[KEY] = fresh;
    return fresh;
  }
}
