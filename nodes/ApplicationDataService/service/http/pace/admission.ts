import type { ClosingReport } from './closing';
import type { Caller } from './line';

/** Who wants to make which kind of call. */
export interface Wish {
  readonly caller: Caller;
  /** Whether the call is a cheap read, which is best for trying whether a full queue has emptied. */
  readonly small: boolean;
  /** Whether files are uploaded or downloaded, which may take long. */
  readonly streams: boolean;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
}

/** The permission to make one call; `end` returns it. */
export interface Permit {
  /** The answer is not a 429. */
  accepted(): void;
  /** The answer is a 429. Returns the permit and waits for another one. */
  refused(retryAfterMs: number | undefined): Promise<Admission>;
  /** The exchange is over, including its body. */
  end(): void;
}

/** The result of a wish. */
export type Admission =
  | { readonly permit: Permit }
  /** The caller no longer waits. */
  | { readonly left: true }
  /** The service refuses everybody. */
  | { readonly closed: ClosingReport };
