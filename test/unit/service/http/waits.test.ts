import { Waits } from '../../../../nodes/ApplicationDataService/service/http/waits';

/** A promise that a test ends. */
function ended(): { readonly promise: Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { promise, end: () => end() };
}

test('time in which calls wait counts once, however many wait, and also while they still wait', async () => {
  let now = 1000;
  const waits = new Waits(() => now);
  const [one, other] = [ended(), ended()];
  const first = waits.count('waiting', async () => await one.promise);
  now += 30;
  expect(waits.milliseconds).toBe(30);
  const second = waits.count('waiting', async () => await other.promise);
  now += 10;
  expect(waits.milliseconds).toBe(40);
  one.end();
  await first;
  now += 5;
  expect(waits.milliseconds).toBe(45);
  other.end();
  await second;
  now += 100;
  expect(waits.milliseconds).toBe(45);
});

test('it does not count while another call is in progress', async () => {
  let now = 0;
  const waits = new Waits(() => now);
  const [turn, call] = [ended(), ended()];
  const waiting = waits.count('waiting', async () => await turn.promise);
  now += 10;
  const working = waits.count('working', async () => await call.promise);
  now += 50;
  expect([waits.milliseconds, waits.working]).toEqual([10, 1]);
  call.end();
  await working;
  now += 7;
  expect([waits.milliseconds, waits.working]).toEqual([17, 0]);
  turn.end();
  await waiting;
});
