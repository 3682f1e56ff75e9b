import type { ClosingReport } from './closing';
import type { Caller } from './line';

/** Who wants to make which call. */
export interface Wish {
  readonly caller: Caller;
  /** A read that costs the service little: the best one to try whether a full queue has emptied. */
  readonly small: boolean;
  /** Files go up or come down: it may take long. */
  readonly streams: boolean;
  /** Aborted when the caller waits no longer. */
  readonly signal?: AbortSignal;
}

/** The permission to make one call; `end` gives it back. */
export interface Slot {
  /** An answer comes that is no 429. */
  accepted(): void;
  /** The answer is a 429. Gives the slot back, and waits for another one. */
  refused(retryAfterMs: number | undefined): Promise<Admission>;
  /** The exchange is over, its body included. */
  end(): void;
}

/** What becomes of a wish. */
export type Admission =
  | { readonly slot: Slot }
  /** The caller waits no longer. */
  | { readonly left: true }
  /** The service refuses everybody. */
  | { readonly closed: ClosingReport };
