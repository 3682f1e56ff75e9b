/** The time, as a poll goes by it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborted after so many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
}

/** The machine's own. */
export const machineClock: Clock = {
  now: () => Date.now(),
  timeout: (milliseconds) => AbortSignal.timeout(Math.ceil(milliseconds)),
};
