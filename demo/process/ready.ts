import { setTimeout as sleep } from 'node:timers/promises';

import type { Child } from './children.ts';
import { DemoError } from './demo-error.ts';

const INTERVAL = 250;

export interface Wait {
  /** Milliseconds. */
  readonly timeout: number;
  /** The file in which a person can see why it takes so long. */
  readonly logFile: string;
}

/**
 * Waits until a started child can be used.
 * @throws DemoError if it ends or takes too long
 */
export async function untilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  { timeout, logFile }: Wait,
): Promise<void> {
  let end: number | string | undefined;
  void child.ended.then((how) => {
    end = how;
  });
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await sleep(INTERVAL)) {
    if (end !== undefined) throw new DemoError(child.describeEnd(end));
    if (await isReady()) return;
  }
  throw new DemoError(`${child.name} did not answer within ${timeout / 1000} s; its log is ${logFile}.`);
}
