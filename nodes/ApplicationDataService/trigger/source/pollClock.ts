import { processWaiting, type Waiting } from '../../service/http/connect';

/** The clock of a poll. */
export interface PollClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborted after this many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
  /** How the calls of a poll wait. */
  readonly waiting: Waiting;
}

/** The machine's own. */
export const machineClock: PollClock = {
  now: () => Date.now(),
  timeout: (milliseconds) => AbortSignal.timeout(Math.ceil(milliseconds)),
  waiting: processWaiting,
};
