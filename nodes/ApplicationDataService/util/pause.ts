import { sleep } from 'n8n-workflow';

/** How long the process may be held, in milliseconds, before everything else in it has its turn. */
const MAX_HELD_MS = 15;
/** When everything else had its turn last, as far as it is known here; and the turn that is awaited. */
let last = -Infinity;
let turn: Promise<void> | null = null;

/** Awaited in long work: lets others have their turn when that is long ago, in time: items take long or short. */
export function pause(): Promise<void> | undefined {
  if (performance.now() - last < MAX_HELD_MS) return undefined;
  turn ??= sleep(0).then(() => {
    last = performance.now();
    turn = null;
  });
  return turn;
}
