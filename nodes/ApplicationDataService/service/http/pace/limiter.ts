import { CircuitBreaker, type OpenReport, type Probe } from './circuitBreaker';

/**
 * How many calls run at the same time: two processes then fit into the service's queue, in which one call runs and ten
 * wait.
 */
const MOST = 5;

/** After a 429 the limit is halved; then it grows again by one each minute. */
const GROW_EVERY_MS = 60_000;

/** A call that is to be made. */
export interface PlannedCall {
  readonly caller: Caller;
  /** Whether files are uploaded or downloaded, which may take long. */
  readonly streams: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The permission to make one call; `end` returns it. */
export interface Permit {
  accepted(): void;
  /** The answer is a 429. Returns the permit and waits for another one. */
  refused(retryAfterMs: number | undefined): Promise<Admission>;
  end(): void;
}

/** What a planned call gets: a permit, or why there is none. */
export type Admission =
  { readonly permit: Permit } | { readonly left: true } | { readonly refusesAll: OpenReport };

interface Waiter extends PlannedCall {
  tell(admission: Admission): void;
}

/**
 * The limiters of one process, one for each service: a service has one queue for everybody, whichever workflow calls
 * and whichever key it uses.
 */
export class Limiters {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly clock: LimiterClock) {}

  /**
   * Waits for the permission to make a call.
   * @param service origin and directory of the base URL.
   */
  async enter(service: string, call: PlannedCall): Promise<Admission> {
    const limiter = this.limiters.get(service) ?? new Limiter(this.clock);
    this.limiters.set(service, limiter);
    return await limiter.enter(call);
  }
}

/**
 * Gives permissions for calls to one service. It runs nothing itself: the caller that gets a permission continues in
 * its own async context, which n8n relies on.
 */
export class Limiter {
  private readonly queue = new FairQueue<Waiter>();
  private inFlight = 0;
  private streaming = 0;
  private limit = MOST;
  private changedAt: number;
  private breaker: CircuitBreaker | null = null;
  private alarm: { readonly at: number; readonly stop: () => void } | null = null;

  constructor(private readonly clock: LimiterClock) {
    this.changedAt = clock.now();
  }

  async enter(call: PlannedCall): Promise<Admission> {
    if (this.inFlight === 0 && this.queue.size === 0) this.breaker?.beginWaiting(this.clock.now());
    return await this.wait(call, false);
  }

  private async wait(call: PlannedCall, first: boolean): Promise<Admission> {
    const { signal } = call;
    return await new Promise((resolve) => {
      const leave = (): void => {
        this.queue.remove(waiter);
        resolve(this.whyLeft(signal));
        this.advance();
      };
      const tell = (admission: Admission): void => {
        signal?.removeEventListener('abort', leave);
        resolve(admission);
      };
      const waiter: Waiter = { ...call, tell };
      if (signal?.aborted === true) {
        leave();
        return;
      }
      signal?.addEventListener('abort', leave);
      this.queue.add(waiter, first);
      this.advance();
    });
  }

  /** A caller that runs out of time while the service refuses everybody was refused, too. */
  private whyLeft(signal: AbortSignal | undefined): Admission {
    const isLate = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
    return isLate && this.breaker !== null
      ? { refusesAll: this.breaker.report(this.clock.now()) }
      : { left: true };
  }

  private advance(): void {
    const now = this.clock.now();
    if (this.breaker === null) this.admitAll(now);
    else if (this.breaker.isHopeless(now)) this.giveUp(this.breaker, now);
    else if (this.breaker.mayProbe(now)) this.probe(this.breaker, now);
    this.setAlarm(now);
  }

  /** Adds a permit for each minute that has passed, and gives all that there are. */
  private admitAll(now: number): void {
    const steps = Math.floor((now - this.changedAt) / GROW_EVERY_MS);
    this.limit = Math.min(MOST, this.limit + steps);
    this.changedAt += steps * GROW_EVERY_MS;
    const streams = Math.max(1, Math.floor(this.limit / 2));
    while (this.inFlight < this.limit) {
      const next = this.queue.take((waiter) => !waiter.streams || this.streaming < streams);
      if (next === undefined) return;
      this.admit(next, null);
    }
  }

  private probe(breaker: CircuitBreaker, now: number): void {
    const next = this.queue.take(() => true);
    if (next === undefined) return;
    this.admit(next, breaker.beginProbe(now));
  }

  private giveUp(breaker: CircuitBreaker, now: number): void {
    const refusesAll = breaker.report(now);
    breaker.beginWaiting(now);
    for (let next = this.queue.take(() => true); next !== undefined; next = this.queue.take(() => true))
      next.tell({ refusesAll });
  }

  private admit(waiter: Waiter, probe: Probe | null): void {
    let ended = false;
    const count = (by: number): void => {
      this.inFlight += by;
      if (waiter.streams) this.streaming += by;
    };
    count(1);
    const release = (): void => {
      ended = true;
      count(-1);
      probe?.breaker.endProbe(probe);
    };
    waiter.tell({
      permit: {
        accepted: () => this.accepted(probe),
        refused: async (retryAfterMs) => {
          release();
          this.refused(probe, retryAfterMs);
          return await this.wait(waiter, true);
        },
        end: () => {
          if (ended) return;
          release();
          this.advance();
        },
      },
    });
  }

  private accepted(probe: Probe | null): void {
    if (this.breaker === null) return;
    const now = this.clock.now();
    if (probe !== null && this.breaker.isProof(probe)) {
      this.breaker = null;
      this.changedAt = now;
    } else {
      // It was sent before a refusal and processed. That says nothing about new calls.
      this.breaker.since = now;
    }
    this.advance();
  }

  private refused(probe: Probe | null, retryAfterMs: number | undefined): void {
    const now = this.clock.now();
    if (this.breaker === null) {
      this.breaker = new CircuitBreaker(now, this.clock);
      this.breaker.open(now, retryAfterMs);
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      this.changedAt = now;
    } else if (probe?.breaker === this.breaker) {
      this.breaker.open(now, retryAfterMs);
    }
  }

  private setAlarm(now: number): void {
    const at = this.nextEvent();
    if (at === this.alarm?.at) return;
    this.alarm?.stop();
    const ring = (): void => {
      this.alarm = null;
      this.advance();
    };
    this.alarm = at === undefined ? null : { at, stop: this.clock.alarm(Math.max(0, at - now), ring) };
  }

  /** When something changes for those who wait just because time passes; `undefined` if nothing will. */
  private nextEvent(): number | undefined {
    if (this.queue.size === 0) return undefined;
    if (this.breaker !== null) return this.breaker.nextEvent();
    return this.limit === MOST ? undefined : this.changedAt + GROW_EVERY_MS;
  }
}

/** Who makes calls, as far as it matters for their order. */
export interface Caller {
  /** Callers with the same key share one turn: the calls of one execution, or of one poll. */
  readonly turn: unknown;
  /** A person waits for the answer: the editor's lists, the test of a credential. */
  readonly urgent: boolean;
}

type Turns<W> = Map<unknown, W[]>;

/**
 * Waiting callers in fair order: each turn once, then each turn once more, however many wait for it. Urgent ones go
 * first, but never twice in a row if others wait.
 */
export class FairQueue<W extends { readonly caller: Caller }> {
  private readonly urgent: Turns<W> = new Map();
  private readonly usual: Turns<W> = new Map();
  private lastWasUrgent = false;
  size = 0;

  /** @param first whether it goes before the others of its turn. */
  add(waiter: W, first = false): void {
    const turns = this.turnsOf(waiter);
    const turn = turns.get(waiter.caller.turn);
    if (turn === undefined) turns.set(waiter.caller.turn, [waiter]);
    else if (first) turn.unshift(waiter);
    else turn.push(waiter);
    this.size++;
  }

  take(fits: (waiter: W) => boolean): W | undefined {
    const order = this.lastWasUrgent ? [this.usual, this.urgent] : [this.urgent, this.usual];
    const waiting = order.flatMap((turns) => [...turns.values()]);
    const next = waiting.flatMap((turn) => turn.find(fits) ?? [])[0];
    if (next === undefined) return undefined;
    this.lastWasUrgent = next.caller.urgent;
    const turns = this.turnsOf(next);
    const turn = turns.get(next.caller.turn) ?? [];
    this.remove(next);
    // To the end of the turns.
    if (turns.delete(next.caller.turn) && turn.length > 0) turns.set(next.caller.turn, turn);
    return next;
  }

  remove(waiter: W): void {
    const turns = this.turnsOf(waiter);
    const turn = turns.get(waiter.caller.turn);
    const index = turn?.indexOf(waiter) ?? -1;
    if (turn === undefined || index === -1) return;
    turn.splice(index, 1);
    if (turn.length === 0) turns.delete(waiter.caller.turn);
    this.size--;
  }

  private turnsOf({ caller }: W): Turns<W> {
    return caller.urgent ? this.urgent : this.usual;
  }
}

/** The time and the randomness for a limiter. Tests have their own. */
export interface LimiterClock {
  now(): number;
  random(): number;
  /** Rings once after this many milliseconds; until then the process does not end. The returned function stops it. */
  alarm(milliseconds: number, ring: () => void): () => void;
}

/** A process that has nothing else to do is kept alive in steps of this length. */
const STEP_MS = 1000;

/**
 * The clock of this process. Unlike `sleep`, a time-out signal can be stopped.
 * @param sleep waits, and keeps the process alive in the meantime.
 */
export function systemClock(sleep: (milliseconds: number) => Promise<void>): LimiterClock {
  return {
    now: () => performance.now(),
    random: () => Math.random(),
    alarm(milliseconds, ring) {
      let isSet = true;
      const signal = AbortSignal.timeout(Math.ceil(milliseconds));
      const stayAlive = async (): Promise<void> => {
        while (isSet) await sleep(STEP_MS);
      };
      signal.onabort = () => {
        isSet = false;
        ring();
      };
      void stayAlive();
      return () => {
        isSet = false;
        signal.onabort = null;
      };
    },
  };
}
