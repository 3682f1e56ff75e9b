import { cancelled, ServiceError } from './errors';

/** One process makes at most so many calls at once: two then fit into the queue, in which one runs and ten wait. */
const MAX_AT_ONCE = 5;

/** After a 429, half as many; then one more for each minute. */
const GROWS_EVERY_MS = 60_000;

/** How long a service refuses after a 429 (service-facts, "One queue"), and the bounds of what it says itself. */
const USUAL_REST_MS = 10_000;
const MIN_REST_MS = 250;
const MAX_REST_MS = 120_000;

/** Who waits so long after a 429 without a single success is told. */
const PATIENCE_MS = 120_000;

/** A process that has nothing else to do stays alive no longer than this. */
const MAX_STEP_MS = 1000;

const MAX_SERVICES = 100;

/** The time for a limiter. Tests have their own. */
export interface LimiterClock {
  /** Milliseconds since an arbitrary start. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** Who makes calls, as far as it matters for their order. */
export interface Caller {
  /** Callers with the same key share one turn: the calls of one execution, or of one poll. */
  readonly turn: unknown;
  /** A person waits for the answer: the editor's lists, the test of a credential. */
  readonly urgent: boolean;
}

/** The permission to make one call. */
export interface Permit {
  /** The service works on the call: a part of a body was sent or has come. */
  progress(): void;
  /** The service has answered, and not with a 429. */
  accepted(): void;
  /** @param retryAfterMs what a 429 asks for; `undefined` if it does not say */
  refused(retryAfterMs: number | undefined): void;
  /** The call is over. */
  end(): void;
}

/** A call that is to be made, maybe again. */
export interface PlannedCall {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
  /** When the limiter was first told that it was answered with a 429. */
  refusedAt?: number;
}

interface Waiter {
  readonly call: PlannedCall;
  admit(permit: Permit): void;
  giveUp(failure: ServiceError): void;
}

/** The time from a 429 until a single call is accepted again. */
interface Rest {
  until: number;
  /** The last sign that the service works, or when somebody began to wait for one. */
  since: number;
  isProbed: boolean;
}

/** The limiters of one process: a service has one queue for everybody, whichever workflow calls with whichever key. */
export class Limiters {
  private readonly limiters = new Map<string, Limiter>();

  constructor(readonly clock: LimiterClock) {}

  /**
   * Waits for the permission to make a call.
   * @param service origin and directory of the base URL
   * @param call the same object each time, if it is made again after a 429
   * @throws ServiceError `cancelled`; `busy` if the service accepts no calls
   */
  async enter(service: string, call: PlannedCall): Promise<Permit> {
    const limiter = this.limiters.get(service) ?? new Limiter(this.clock);
    this.limiters.delete(service);
    this.limiters.set(service, limiter);
    if (this.limiters.size > MAX_SERVICES) {
      const idle = [...this.limiters].find(([, each]) => each.isIdle);
      if (idle !== undefined) this.limiters.delete(idle[0]);
    }
    return await limiter.enter(call);
  }
}

/**
 * Gives permissions for calls to one service. It runs nothing itself: a caller that is admitted goes on in its own
 * async context, which n8n relies on.
 */
class Limiter {
  private readonly urgent = new Turns();
  private readonly usual = new Turns();
  private inFlight = 0;
  private limit = MAX_AT_ONCE;
  private limitedAt = 0;
  private rest: Rest | null = null;
  private isWatching = false;

  constructor(private readonly clock: LimiterClock) {}

  get isIdle(): boolean {
    return this.inFlight === 0 && !this.isAwaited;
  }

  private get isAwaited(): boolean {
    return !this.urgent.isEmpty || !this.usual.isEmpty;
  }

  async enter(call: PlannedCall): Promise<Permit> {
    const { caller, signal, refusedAt } = call;
    const now = this.clock.now();
    if (signal?.aborted === true) throw this.leaving(signal);
    if (refusedAt !== undefined && now >= refusedAt + PATIENCE_MS) throw this.refusing(refusedAt);
    if (this.rest !== null && !this.isAwaited && refusedAt === undefined) this.rest.since = now;
    const turns = caller.urgent ? this.urgent : this.usual;
    return await new Promise((resolve, reject) => {
      const leave = (): void => {
        turns.remove(waiter);
        reject(this.leaving(signal));
      };
      const stay = (): void => signal?.removeEventListener('abort', leave);
      const waiter: Waiter = {
        call,
        admit: (permit) => (stay(), resolve(permit)),
        giveUp: (failure) => (stay(), reject(failure)),
      };
      signal?.addEventListener('abort', leave);
      turns.add(waiter);
      this.advance();
    });
  }

  /** A caller whose time ends while the service refuses everybody was refused, too. */
  private leaving(signal: AbortSignal | undefined): ServiceError {
    const isLate = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
    return isLate && this.rest !== null ? this.refusing(this.rest.since) : cancelled();
  }

  private advance(): void {
    const now = this.clock.now();
    while (this.mayAdmit(now)) {
      const next = this.urgent.take() ?? this.usual.take();
      if (next === undefined) return;
      this.admit(next);
    }
    if (this.rest !== null && now >= this.rest.since + PATIENCE_MS) this.giveUp(this.rest);
    void this.watch();
  }

  private mayAdmit(now: number): boolean {
    if (this.rest === null) return this.inFlight < this.allowed(now);
    return !this.rest.isProbed && now >= this.rest.until;
  }

  private allowed(now: number): number {
    return Math.min(MAX_AT_ONCE, this.limit + Math.floor((now - this.limitedAt) / GROWS_EVERY_MS));
  }

  private admit(waiter: Waiter): void {
    const probes = this.rest;
    if (probes !== null) probes.isProbed = true;
    this.inFlight++;
    let isOver = false;
    waiter.admit({
      progress: () => this.progress(),
      accepted: () => this.accepted(probes),
      refused: (retryAfterMs) => {
        waiter.call.refusedAt ??= this.clock.now();
        this.refused(retryAfterMs);
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        this.inFlight--;
        if (probes !== null) probes.isProbed = false;
        this.advance();
      },
    });
  }

  private progress(): void {
    if (this.rest !== null) this.rest.since = this.clock.now();
  }

  /** What was sent before the 429 says nothing about new calls. */
  private accepted(probes: Rest | null): void {
    this.progress();
    if (probes === null || probes !== this.rest) return;
    this.rest = null;
    this.limitedAt = this.clock.now();
    this.advance();
  }

  private refused(retryAfterMs = USUAL_REST_MS): void {
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

  private giveUp(rest: Rest): void {
    const failure = this.refusing(rest.since);
    rest.since = this.clock.now();
    for (const turns of [this.urgent, this.usual])
      for (let next = turns.take(); next !== undefined; next = turns.take()) next.giveUp(failure);
  }

  private refusing(since: number): ServiceError {
    const now = this.clock.now();
    const seconds = Math.round((now - since) / 1000);
    return new ServiceError(
      'busy',
      `The service is busy (HTTP 429): it has accepted no call for ${seconds} seconds`,
      'The calls of all workflows wait for it together. Try again later, or run fewer workflows at the same time.',
      { status: 429, retryAfterMs: Math.max(0, (this.rest?.until ?? 0) - now) },
    );
  }

  /** Time alone lets callers in, and lets them go: looks each second as long as anybody waits for it. */
  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    for (let now = this.clock.now(); this.isAwaited && this.isHeldBack(now); now = this.clock.now()) {
      const next = Math.min(this.rest?.until ?? Infinity, now + MAX_STEP_MS);
      await this.clock.sleep(next > now ? next - now : MAX_STEP_MS);
      this.advance();
    }
    this.isWatching = false;
  }

  private isHeldBack(now: number): boolean {
    return this.rest !== null || this.allowed(now) < MAX_AT_ONCE;
  }
}

/** Waiting callers in fair order: each turn once, then each turn once more, however many wait for it. */
class Turns {
  private readonly waiting = new Map<unknown, Waiter[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  add(waiter: Waiter): void {
    const turn = this.waiting.get(waiter.call.caller.turn);
    if (turn === undefined) this.waiting.set(waiter.call.caller.turn, [waiter]);
    else turn.push(waiter);
  }

  take(): Waiter | undefined {
    for (const [turn, waiters] of this.waiting) {
      const next = waiters.shift();
      // To the end of the turns.
      this.waiting.delete(turn);
      if (waiters.length > 0) this.waiting.set(turn, waiters);
      return next;
    }
    return undefined;
  }

  remove(waiter: Waiter): void {
    const left = this.waiting.get(waiter.call.caller.turn)?.filter((each) => each !== waiter) ?? [];
    if (left.length === 0) this.waiting.delete(waiter.call.caller.turn);
    else this.waiting.set(waiter.call.caller.turn, left);
  }
}
