import { EventEmitter } from 'node:events';

/** One call as the log shows it. It never contains access keys. */
export interface LogEntry {
  /** Counts the calls from 1. */
  readonly number: number;
  /** ISO time of arrival. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly action: string;
  /** In the order in which they were sent; long values are truncated. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly files: readonly { readonly field: string; readonly name: string; readonly size: number }[];
  /** User id; empty when the key was refused. */
  readonly user: string;
  /** HTTP status; 0 when the connection was dropped. */
  readonly httpStatus: number;
  /** `ok`, `ng`, or what happened instead. */
  readonly outcome: string;
  readonly errorno: number | undefined;
  /** Kinds of the faults that affected it. */
  readonly faults: readonly string[];
  /** Milliseconds that the call waited for its turn, and that its work took. */
  readonly waitedMs: number;
  readonly workMs: number;
}

/** The most entries that are kept. */
const kept = 10_000;

/** The last calls, for tests and for the page. */
export class CallLog extends EventEmitter<{ call: [LogEntry] }> {
  #entries: LogEntry[] = [];
  #count = 0;

  /** The number of the next call. */
  next(): number {
    return ++this.#count;
  }

  add(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > kept * 1.2) this.#entries = this.#entries.slice(-kept);
    this.emit('call', entry);
  }

  /** Entries with a number above `since`, in the order in which the calls ended. */
  since(since: number): LogEntry[] {
    return this.#entries.filter(({ number }) => number > since);
  }

  clear(): void {
    this.#entries = [];
  }
}
