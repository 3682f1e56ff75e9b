import { concurrently, pause } from '../../../nodes/ApplicationDataService/util/concurrently';

const tick = async () => await new Promise(setImmediate);

test('keeps the order and the limit, and continues after failures', async () => {
  let running = 0;
  let most = 0;
  const tasks = Array.from({ length: 9 }, (_, index) => async () => {
    most = Math.max(most, ++running);
    for (let wait = 0; wait < 9 - index; wait++) await tick();
    running--;
    if (index === 4) throw new Error('no');
    return index;
  });
  const outcomes = await concurrently(tasks, { limit: 3, stopOnError: false });
  expect(most).toBe(3);
  const told = outcomes.map((outcome) => (outcome && 'value' in outcome ? outcome.value : 'failed'));
  expect(told).toEqual([0, 1, 2, 3, 'failed', 5, 6, 7, 8]);
});

test('starts nothing after a failure that ends the run, or after the signal', async () => {
  const failing = [0, 1, 2, 3].map((index) => async () => {
    await tick();
    if (index === 1) throw new Error('no');
    return index;
  });
  const stopped = await concurrently(failing, { limit: 1, stopOnError: true });
  expect(stopped).toEqual([{ value: 0 }, { error: expect.any(Error) as Error }, undefined, undefined]);

  const controller = new AbortController();
  const aborting = [0, 1, 2].map((index) => async () => {
    if (index === 1) controller.abort();
    return await Promise.resolve(index);
  });
  const cancelled = await concurrently(aborting, { limit: 1, stopOnError: false, signal: controller.signal });
  expect(cancelled).toEqual([{ value: 0 }, { value: 1 }, undefined]);
});

test('others have their turn once the process was held for long, however many work at once', async () => {
  let now = performance.now() + 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let turns = 0;
  const work = async (): Promise<void> => {
    for (let done = 0; done < 100; done++) {
      await pause();
      now += 1;
    }
  };
  const takeTurn = (): void => {
    turns += 1;
    others = setImmediate(takeTurn);
  };
  let others = setImmediate(takeTurn);
  await Promise.all([work(), work(), work(), work()]);
  clearImmediate(others);
  jest.restoreAllMocks();
  // 400 steps of a millisecond: at least every 15, and no more than are of use.
  expect(turns).toBeGreaterThan(15);
  expect(turns).toBeLessThan(30);
});
