import { sleep } from 'n8n-workflow';

/** How long a loop may go on, in milliseconds, before everything else in the process has its turn. */
const MAX_HELD_MS = 20;

/**
 * For a loop over many items, to be awaited before each of them: goes on at once, but lets others have their turn when
 * it has gone on for long. Counted in time, because a few items with expressions take as long as thousands without.
 */
export function pauses(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < MAX_HELD_MS) return;
    await sleep(0);
    since = now();
  };
}
