import { systemClock } from '../../../../../nodes/ApplicationDataService/service/http/pace/limiter';

/** Sleeps in progress. A test ends each of them. */
const sleeps: (() => void)[] = [];
const clock = systemClock(async () => await new Promise<void>((resolve) => sleeps.push(resolve)));
const later = async (milliseconds: number) =>
  await new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeEach(() => (sleeps.length = 0));

test('an alarm rings once, not too early', async () => {
  let rings = 0;
  const begin = clock.now();
  await new Promise<void>((resolve) => {
    clock.alarm(20.5, () => {
      rings++;
      resolve();
    });
  });
  expect(clock.now() - begin).toBeGreaterThanOrEqual(20);
  await later(30);
  expect(rings).toBe(1);
});

test('one that was stopped does not ring', async () => {
  let rings = 0;
  clock.alarm(5, () => rings++)();
  await later(20);
  expect(rings).toBe(0);
});

test('the process stays alive for one that somebody waits for, in steps, until it is stopped', async () => {
  const stop = clock.alarm(60_000, () => undefined);
  sleeps[0]?.();
  await later(0);
  expect(sleeps).toHaveLength(2);
  stop();
  sleeps[1]?.();
  await later(0);
  expect(sleeps).toHaveLength(2);
});
