/** After a 429 without a time, the service refuses for about ten seconds. */
const USUAL_MS = 10_000;

const LONGEST_MS = 105_000;

/** If the service asks for less time than it needs, the waits double from here. */
const SHORTEST_MS = 250;

/** After this time, a probe without an answer no longer blocks other probes. */
const STUCK_MS = 10_000;

const MOST_STUCK = 5;

/** After this time without a success, waiting callers get an error. */
const PATIENCE_MS = 120_000;

/** What callers that waited in vain are told. */
export interface OpenReport {
  readonly forMs: number;
  readonly probes: number;
  readonly restMs: number;
}

/** A call that tries whether the service accepts calls again. */
export interface Probe {
  readonly breaker: CircuitBreaker;
  readonly begunAt: number;
  readonly refusals: number;
}

/** The time from a 429 to the first call that is answered again: nothing is sent, and then one call at a time. */
export class CircuitBreaker {
  until = 0;
  private probes = 0;
  private refusals = 0;
  private underWay = 0;
  private latest: Probe | null = null;

  constructor(
    /** The last success, or the beginning of the wait for one. */
    public since: number,
    private readonly clock: { random(): number },
  ) {}

  /**
   * The service has just refused a call. Up to a tenth is added to the wait, so that processes spread out.
   * @param retryAfterMs what the service asks for; `undefined` if it says nothing.
   */
  open(now: number, retryAfterMs: number | undefined): void {
    const least = Math.min(USUAL_MS, SHORTEST_MS * 2 ** this.refusals++);
    const wait = Math.min(LONGEST_MS, Math.max(least, retryAfterMs ?? USUAL_MS));
    this.until = now + wait * (1 + this.clock.random() / 10);
  }

  /** The first caller after a time without waiting callers starts the time limit. */
  beginWaiting(now: number): void {
    this.since = now;
    this.probes = 0;
  }

  beginProbe(now: number): Probe {
    this.probes++;
    this.underWay++;
    this.latest = { breaker: this, begunAt: now, refusals: this.refusals };
    return this.latest;
  }

  /** Whatever its result, the next one may probe. */
  endProbe(probe: Probe): void {
    this.underWay--;
    if (this.latest === probe) this.latest = null;
  }

  /** Whether its answer shows that the service accepts calls. It may have waited there since before a refusal. */
  isProof({ breaker, refusals }: Probe): boolean {
    return breaker === this && refusals === this.refusals;
  }

  isHopeless(now: number): boolean {
    return now >= this.since + PATIENCE_MS;
  }

  mayProbe(now: number): boolean {
    return now >= this.probeAt;
  }

  nextEvent(): number {
    return Math.min(this.since + PATIENCE_MS, this.probeAt);
  }

  report(now: number): OpenReport {
    return { forMs: now - this.since, probes: this.probes, restMs: Math.max(0, this.until - now) };
  }

  private get probeAt(): number {
    if (this.latest === null) return this.until;
    return this.underWay < MOST_STUCK ? Math.max(this.until, this.latest.begunAt + STUCK_MS) : Infinity;
  }
}
