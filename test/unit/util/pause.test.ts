import { pause } from '../../../nodes/ApplicationDataService/util/pause';

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
  const others = setInterval(() => (turns += 1), 0);
  await Promise.all([work(), work(), work(), work()]);
  clearInterval(others);
  jest.restoreAllMocks();
  // 400 steps of a millisecond: at least every 15, and no more than are of use.
  expect(turns).toBeGreaterThan(15);
  expect(turns).toBeLessThan(30);
});
