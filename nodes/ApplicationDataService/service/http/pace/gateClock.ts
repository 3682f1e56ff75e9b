/** What a gate needs to know of time and chance; tests have one of their own. */
export interface GateClock {
  /** Milliseconds since some beginning; never goes back. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /**
   * Rings once after so many milliseconds; what it returns stops it.
   * @param isAwaited somebody waits for it: the process must not end meanwhile.
   */
  alarm(milliseconds: number, ring: () => void, isAwaited: boolean): () => void;
}

/** A process that has nothing else to do is kept alive by steps of so long. */
const STEP_MS = 1000;

/**
 * The clock of this process. A time-out signal, other than a timer, can be stopped, and lets a process end that nobody
 * waits for.
 * @param sleep waits, and keeps the process alive meanwhile.
 */
export function systemClock(sleep: (milliseconds: number) => Promise<void>): GateClock {
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
