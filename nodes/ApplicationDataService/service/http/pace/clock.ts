/** What a gate needs to know of time and chance; tests have one of their own. */
export interface Clock {
  /** Milliseconds since some beginning; never goes back. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Rings once after so many milliseconds; what it returns stops it. Keeps no process alive. */
  alarm(milliseconds: number, ring: () => void): () => void;
}

/** The clock of this process. A time-out signal, other than a timer, lets a process that is asked to end go. */
export const systemClock: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  alarm(milliseconds, ring) {
    const signal = AbortSignal.timeout(Math.ceil(milliseconds));
    signal.onabort = ring;
    return () => {
      signal.onabort = null;
    };
  },
};
