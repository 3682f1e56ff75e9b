/** The time and the randomness for a limiter. Tests have their own. */
export interface LimiterClock {
  /** Milliseconds since an arbitrary start; never goes back. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /**
   * Rings once after this many milliseconds. The returned function stops it.
   * @param isAwaited whether somebody waits for it, so that the process must not end in the meantime.
   */
  alarm(milliseconds: number, ring: () => void, isAwaited: boolean): () => void;
}

/** A process that has nothing else to do is kept alive in steps of this length. */
const STEP_MS = 1000;

/**
 * The clock of this process. Unlike a timer, a time-out signal can be stopped, and does not keep a process alive that
 * nobody waits for.
 * @param sleep waits, and keeps the process alive in the meantime.
 */
export function systemClock(sleep: (milliseconds: number) => Promise<void>): LimiterClock {
  return {
    now: () => performance.now(),
    random: () => Math.random(),
    alarm(milliseconds, ring, isAwaited) {
      let isSet = true;
      const signal = AbortSignal.timeout(Math.ceil(milliseconds));
      const stayAlive = async (): Promise<void> => {
        while (isSet) await sleep(STEP_MS);
      };
      signal.onabort = () => {
        isSet = false;
        ring();
      };
      if (isAwaited) void stayAlive();
      return () => {
        isSet = false;
        signal.onabort = null;
      };
    },
  };
}
