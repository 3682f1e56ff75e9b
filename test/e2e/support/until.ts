import { setTimeout as sleep } from 'node:timers/promises';

/** For a poll, which may have to wait for a service that is down, and the execution it starts. */
const TIMEOUT = 45_000;

/** Waits, but not for ever: what is expected is said by the caller, who sees what is there instead. */
export async function until(isSo: () => boolean | Promise<boolean>, timeout = TIMEOUT): Promise<void> {
  const deadline = Date.now() + timeout;
  while (!(await isSo()) && Date.now() < deadline) await sleep(500);
}
