import { cancelled, ServiceError } from './errors';

/** One process makes at most so many calls at once: two then fit into the queue, in which one runs and ten wait. */
const MAX_AT_ONCE = 5;
/** Of these, one execution or one poll makes at most so many: its downloads and pages included. */
const MAX_OF_A_TURN = 4;
/** After a 429, half as many; then one more for each minute. */
const GROWS_EVERY_MS = 60_000;
/** How long a service refuses after a 429 (service-facts, "One queue"), and the bounds of what it says itself. */
const USUAL_REST_MS = 10_000;
const MIN_REST_MS = 250;
const MAX_REST_MS = 120_000;
/** Who waits so long after a 429 without a single success is told. */
const MAX_REFUSED_MS = 120_000;
/** A process that has nothing else to do stays alive no longer than this. */
const MAX_STEP_MS = 1000;
const MAX_SERVICES = 100;

/** The time for a limiter, in milliseconds since an arbitrary start. Tests have their own. */
export interface LimiterClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export interface Caller {
  /** Callers with the same key share one turn: the calls of one execution, or of one poll. */
  readonly turn: unknown;
  /** A person waits for the answer: the editor's lists, the test of a credential. */
  readonly urgent: boolean;
}

/** A call that is to be made: the same object each time, if it is made again after a 429. */
export interface PlannedCall extends Caller {
  readonly signal?: AbortSignal | undefined;
  refusedAt?: number;
}

export interface Permit {
  /** The service works on the call: a part of a body was sent or has come. */
  readonly progress: () => void;
  accepted(): void;
  refused(retryAfterMs: number | undefined): void;
  end(): void;
}

/** The limiters of one process: a service has one queue for everybody, whichever workflow calls with whichever key. */
export class Limiters {
  /** The one that was used last is the last. */
  private readonly limiters = new Map<string, Limiter>();

  constructor(readonly clock: LimiterClock) {}

  /** @param service origin and directory of the base URL @throws ServiceError `cancelled`; `busy` */
  async enter(service: string, call: PlannedCall): Promise<Permit> {
    const limiter = this.limiters.get(service) ?? new Limiter(this.clock);
    this.limiters.delete(service);
    this.limiters.set(service, limiter);
    const entering = limiter.enter(call);
    for (const [name, each] of this.limiters) {
      if (this.limiters.size <= MAX_SERVICES) break;
      if (!each.isInUse) this.limiters.delete(name);
    }
    return await entering;
  }
}

interface Waiter {
  readonly call: PlannedCall;
  readonly admit: (permit: Permit) => void;
  readonly giveUp: (failure: ServiceError) => void;
}

/** It runs nothing itself: a caller that is admitted goes on in its own async context, which n8n relies on. */
class Limiter {
  /** By turn, in fair order: each once, then each once more, however many wait for it. */
  private readonly waiting = new Map<unknown, Waiter[]>();
  /** The turns of the calls that are being made. */
  private readonly inFlight: unknown[] = [];
  private limit = MAX_AT_ONCE;
  private limitedAt = 0;
  private isWatching = false;
  /** From a 429 until a call is accepted. `since`: the last sign of life, or when somebody began to wait for one. */
  private rest: { until: number; since: number; isProbed: boolean } | null = null;

  constructor(private readonly clock: LimiterClock) {}

  get isInUse(): boolean {
    return this.inFlight.length + this.waiting.size > 0 || this.clock.now() < (this.rest?.until ?? 0);
  }

  async enter(call: PlannedCall): Promise<Permit> {
    const { signal, refusedAt } = call;
    const now = this.clock.now();
    if (signal?.aborted === true) throw this.leaving(signal);
    if (refusedAt !== undefined && now >= refusedAt + MAX_REFUSED_MS) throw this.busy(refusedAt);
    if (this.waiting.size === 0) {
      if (this.rest !== null) this.rest.since = now;
      if (this.mayAdmit(now) && this.hasPlace(call.turn)) return this.permit(call);
    }
    let leave = (): void => undefined;
    const entering = new Promise<Permit>((admit, giveUp) => {
      const waiter = { call, admit, giveUp };
      leave = () => (this.remove(waiter), giveUp(this.leaving(signal)));
      this.waiting.set(call.turn, [...(this.waiting.get(call.turn) ?? []), waiter]);
    });
    signal?.addEventListener('abort', leave);
    this.advance();
    try {
      return await entering;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** A caller whose time ends while the service refuses everybody was refused, too. */
  private leaving(signal: AbortSignal | undefined): ServiceError {
    const isLate = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
    return isLate && this.rest !== null ? this.busy(this.rest.since) : cancelled();
  }

  private mayAdmit(now: number): boolean {
    if (this.rest === null) return this.inFlight.length < this.allowed(now);
    return !this.rest.isProbed && now >= this.rest.until;
  }

  private hasPlace(turn: unknown): boolean {
    return this.inFlight.filter((each) => each === turn).length < MAX_OF_A_TURN;
  }

  private advance(): void {
    const now = this.clock.now();
    while (this.mayAdmit(now)) {
      const firsts = [...this.waiting].flatMap(([turn, [first]]) => (this.hasPlace(turn) ? first! : []));
      const next = firsts.find(({ call }) => call.urgent) ?? firsts[0];
      if (next === undefined) break;
      this.remove(next);
      next.admit(this.permit(next.call));
    }
    if (this.rest !== null && now >= this.rest.since + MAX_REFUSED_MS) {
      const failure = this.busy(this.rest.since);
      for (const { giveUp } of [...this.waiting.values()].flat()) giveUp(failure);
      this.waiting.clear();
    }
    void this.watch();
  }

  private allowed(now: number): number {
    return Math.min(MAX_AT_ONCE, this.limit + Math.floor((now - this.limitedAt) / GROWS_EVERY_MS));
  }

  /** Its turn goes to the end. */
  private remove(waiter: Waiter): void {
    const { turn } = waiter.call;
    const left = this.waiting.get(turn)?.filter((each) => each !== waiter) ?? [];
    this.waiting.delete(turn);
    if (left.length > 0) this.waiting.set(turn, left);
  }

  private permit(call: PlannedCall): Permit {
    const probed = this.rest;
    if (probed !== null) probed.isProbed = true;
    this.inFlight.push(call.turn);
    const progress = (): void => void (this.rest !== null && (this.rest.since = this.clock.now()));
    return {
      progress,
      accepted: () => {
        progress();
        // What was sent before the 429 says nothing about new calls.
        if (probed === null || probed !== this.rest) return;
        this.rest = null;
        this.limitedAt = this.clock.now();
        this.advance();
      },
      refused: (retryAfterMs) => {
        call.refusedAt ??= this.clock.now();
        this.close(retryAfterMs);
      },
      end: () => {
        this.inFlight.splice(this.inFlight.indexOf(call.turn), 1);
        if (probed !== null) probed.isProbed = false;
        this.advance();
      },
    };
  }

  private close(retryAfterMs = USUAL_REST_MS): void {
    const now = this.clock.now();
    const until = now + Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, retryAfterMs));
    if (this.rest === null) {
      this.limit = Math.max(1, Math.floor(this.allowed(now) / 2));
      this.limitedAt = now;
      this.rest = { until, since: now, isProbed: false };
    } else {
      this.rest.until = Math.max(this.rest.until, until);
    }
  }

  private busy(since: number): ServiceError {
    const now = this.clock.now();
    const seconds = Math.round((now - since) / 1000);
    return new ServiceError(
      'busy',
      `The service is busy (HTTP 429): it has accepted no call for ${seconds} seconds`,
      'The calls of all workflows wait for it together. Try again later, or run fewer workflows at the same time.',
      { status: 429, retryAfterMs: Math.max(0, (this.rest?.until ?? 0) - now) },
    );
  }

  /** Time alone lets callers in, and lets them go: looks each second as long as anybody is held back. */
  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    for (let now = this.clock.now(); this.waiting.size > 0; now = this.clock.now()) {
      if (this.rest === null && this.allowed(now) === MAX_AT_ONCE) break;
      const left = (this.rest?.until ?? 0) - now;
      await this.clock.sleep(left > 0 ? Math.min(left, MAX_STEP_MS) : MAX_STEP_MS);
      this.advance();
    }
    this.isWatching = false;
  }
}
