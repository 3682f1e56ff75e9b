import type { GateClock } from './gateClock';

/** A 429 that names no time: the service refuses for about ten seconds. */
const USUAL_MS = 10_000;

/** No service is waited for longer between two probes, whatever it asks for. */
const LONGEST_MS = 60_000;

/** Where the service asks for less than it needs, the waits double from here. */
const SHORTEST_MS = 250;

/** A probe without an answer for so long does not keep others from trying. */
const STUCK_MS = 10_000;

/** Probes that may be stuck at once. */
const MOST_STUCK = 5;

/** Without a success for so long, those who wait are told. */
const PATIENCE_MS = 120_000;

/** What those who wait in vain are told. */
export interface ClosingReport {
  /** Milliseconds without a success. */
  readonly forMs: number;
  /** Calls that tried, meanwhile, whether the service takes calls again. */
  readonly probes: number;
  /** Milliseconds for which nothing will be sent. */
  readonly restMs: number;
}

/** A call that tries whether the service takes calls again. */
export interface Probe {
  readonly closing: Closing;
  readonly begunAt: number;
  /** Refusals before it. */
  readonly refusals: number;
}

/** The time from a 429 to the first call that is answered again: nothing is sent, and then one call at a time. */
export class Closing {
  /** Nothing is sent before. */
  until = 0;
  private probes = 0;
  private refusals = 0;
  private underWay = 0;
  /** The last one, while it is under way. */
  private latest: Probe | null = null;

  constructor(
    /** The last success, or the beginning of the wait for one. */
    private since: number,
    private readonly clock: Pick<GateClock, 'random'>,
  ) {}

  /**
   * The service refused a call just now. Up to a tenth is added to the wait, so that processes spread out.
   * @param retryAfterMs what the service asks for; `undefined` if it says nothing.
   */
  close(now: number, retryAfterMs: number | undefined): void {
    const least = Math.min(USUAL_MS, SHORTEST_MS * 2 ** this.refusals++);
    const wait = Math.min(LONGEST_MS, Math.max(least, retryAfterMs ?? USUAL_MS));
    this.until = now + wait * (1 + this.clock.random() / 10);
  }

  /** The first who waits after nobody did has all the patience. */
  beginWaiting(now: number): void {
    this.since = now;
    this.probes = 0;
  }

  successAt(now: number): void {
    this.since = now;
  }

  beginProbe(now: number): Probe {
    this.probes++;
    this.underWay++;
    this.latest = { closing: this, begunAt: now, refusals: this.refusals };
    return this.latest;
  }

  /** Whatever it met: it is the next one's turn. */
  endProbe(probe: Probe): void {
    this.underWay--;
    if (this.latest === probe) this.latest = null;
  }

  /** Whether an answer to it shows that the service takes calls: it may have been waiting there since before a refusal. */
  isProof({ closing, refusals }: Probe): boolean {
    return closing === this && refusals === this.refusals;
  }

  isHopeless(now: number): boolean {
    return now >= this.since + PATIENCE_MS;
  }

  mayProbe(now: number): boolean {
    return now >= this.probeAt;
  }

  /** When time alone changes something for those who wait. */
  nextEvent(): number {
    return Math.min(this.since + PATIENCE_MS, this.probeAt);
  }

  report(now: number): ClosingReport {
    return { forMs: now - this.since, probes: this.probes, restMs: Math.max(0, this.until - now) };
  }

  private get probeAt(): number {
    if (this.latest === null) return this.until;
    return this.underWay < MOST_STUCK ? Math.max(this.until, this.latest.begunAt + STUCK_MS) : Infinity;
  }
}
