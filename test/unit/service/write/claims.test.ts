import { claim, type Claimed } from './support/claims';
import { FAULTS, type Fault } from './support/world';

const SCHEDULES = Array.from({ length: 64 }, (_, bits) => [0, 1, 2, 3, 4, 5].map((bit) => (bits >> bit) & 1));

/** A service that refuses what it has done tells an untruth, which is told on. */
function isTrue({ told, holder }: Claimed, fault: Fault | null): boolean {
  const winners = told.flatMap((each, who) => (each === 'done' ? [`client ${who}`] : []));
  const losers = told.flatMap((each, who) => (each === 'notDone' ? [`client ${who}`] : []));
  return winners.every((each) => each === holder) && (fault === 'doneRefused' || !losers.includes(holder));
}

// Of two clients that claim one job under the revision that both have read, at most one is told that it has it.
test.each([null, ...FAULTS])('two clients claim one job, with "%s" at any call', async (fault) => {
  const wrong: unknown[] = [];
  for (const schedule of SCHEDULES) {
    const { calls } = await claim(schedule, []);
    for (let at = 0; at < (fault === null ? 1 : calls); at++) {
      const claimed = await claim(schedule, fault === null ? [] : [{ at, what: fault }]);
      const isSettled = fault !== null || claimed.told.filter((each) => each === 'done').length === 1;
      if (!isSettled || !isTrue(claimed, fault)) wrong.push({ schedule, at, ...claimed });
    }
  }
  expect(wrong).toEqual([]);
});
