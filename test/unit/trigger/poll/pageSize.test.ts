import { PageSize, readPage } from '../../../../nodes/ApplicationDataService/trigger/poll/pageSize';

const MOST = 5000;

/** A poll of a minute, in which a page takes its time and, before that, waits for its turn at the service. */
function poll() {
  let now = 0;
  let waited = 0;
  const size = new PageSize(MOST);
  const late = new Error('late');
  const budget = { left: () => 60_000 - now };
  const source = { isLate: (failure: unknown) => failure === late, waitedMs: () => waited };
  const read = async (waitMs: number, costMs: number, isLate = false) =>
    await readPage(size, budget, source, async () => {
      waited += waitMs;
      now += waitMs + costMs;
      return isLate ? await Promise.reject(late) : [];
    });
  return { size, budget, read, late };
}

test('what a page costs holds no wait for a turn', async () => {
  const { size, read } = poll();
  await read(20_000, 100);
  expect(size.fits(1000)).toBe(true);

  const slow = poll();
  await slow.read(0, 20_100);
  expect(slow.size.fits(1000)).toBe(false);
});

test('a page that was late because others had the turn is not asked for with fewer records', async () => {
  const { size, budget, read, late } = poll();
  await expect(read(29_000, 1000, true)).rejects.toBe(late);
  expect(size.next(budget).limit).toBe(MOST);

  const slow = poll();
  await expect(slow.read(0, 30_000, true)).rejects.toBe(slow.late);
  expect(slow.size.next(slow.budget).limit).toBeLessThan(MOST);
});
