/** The last entries of a kind, numbered from 1, for tests and for the page. */
export class Log<E extends { readonly number: number }> {
  /** They are told each entry as it is added. */
  readonly watchers = new Set<(entry: unknown) => void>();
  readonly #most: number;
  #entries: E[] = [];
  #count = 0;

  /** @param most the most entries that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of the next entry. */
  next(): number {
    return ++this.#count;
  }

  add(entry: E): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#most * 1.2) this.#entries = this.#entries.slice(-this.#most);
    for (const watcher of this.watchers) watcher(entry);
  }

  /** Entries with a number above `since`, in the order in which they were added. */
  since(since: number): E[] {
    return this.#entries.filter(({ number }) => number > since);
  }

  clear(): void {
    this.#entries = [];
  }
}

/** One call as the log shows it. It never contains access keys. */
export interface CallEntry {
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
