import { inside, Place } from './support/place';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let place: Place;
beforeEach(() => (place = new Place()));

describe('a 429', () => {
  it('closes the limiter for ten seconds; then one call probes, alone', async () => {
    const all = [await place.close(), ...(await place.comeAll(5))];
    await place.clock.pass(9.9 * SECOND);
    expect(inside(all)).toBe(0);
    await place.clock.pass(0.1 * SECOND);
    expect(inside(all)).toBe(1);
    await place.clock.pass(5 * SECOND);
    expect(inside(all)).toBe(1);
  });

  it.each([
    ['as long as the service asks', 25 * SECOND, 25 * SECOND],
    ['as long as the service asks', 75 * SECOND, 75 * SECOND],
    ['but one call tries before the others give up', 3600 * SECOND, 105 * SECOND],
    ['but never without a pause', 0, 250],
  ])('is waited for %s', async (_, retryAfterMs, waitMs) => {
    const refused = await place.close(retryAfterMs);
    await place.clock.pass(waitMs - 1);
    expect(refused.isIn).toBe(false);
    await place.clock.pass(1);
    expect(refused.isIn).toBe(true);
  });

  it('that asks for a shorter wait than the service needs is waited for twice as long each time', async () => {
    const refused = await place.close(0);
    const waits: number[] = [];
    for (let probe = 0; probe < 7; probe++) {
      const begin = place.clock.now();
      while (!refused.isIn) await place.clock.pass(250);
      waits.push(place.clock.now() - begin);
      await refused.isRefused(0);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000]);
  });

  it('halves the permits, which come back one a minute', async () => {
    const first = await place.close();
    const all = await place.comeAll(12);
    await place.clock.pass(10 * SECOND);
    const probe = [first, ...all].find(({ isIn }) => isIn)!;
    await probe.succeeds();
    const afterProbe = inside([first, ...all]) - 1;
    expect(afterProbe).toBe(2);
    const growth: number[] = [];
    for (let minute = 0; minute < 5; minute++) {
      await place.clock.pass(MINUTE);
      growth.push(inside([first, ...all]) - 1);
    }
    expect(growth).toEqual([3, 4, 5, 5, 5]);
  });

  it('after another one leaves half of these, and at least one', async () => {
    let refused = await place.close();
    for (const permits of [2, 1, 1]) {
      await place.clock.pass(10 * SECOND);
      await refused.succeeds();
      const home = new AbortController();
      const visitors = await place.comeAll(5, { signal: home.signal });
      expect(inside(visitors)).toBe(permits);
      home.abort();
      for (const each of visitors) if (each.isIn) await each.ends();
      refused = await place.close();
    }
  });

  it('of calls sent together counts once', async () => {
    const all = await place.comeAll(5);
    for (const each of all) await each.isRefused();
    await place.clock.pass(10 * SECOND);
    expect(inside(all)).toBe(1);
    await all.find(({ isIn }) => isIn)!.succeeds();
    expect(inside(all)).toBe(3);
  });

  it('is not forgotten when calls that were sent before are answered', async () => {
    const all = await place.comeAll(5);
    await all[0]!.isRefused();
    await all[1]!.succeeds();
    const next = await place.come();
    expect(next.isIn).toBe(false);
    await place.clock.pass(10 * SECOND);
    expect([all[0]!.isIn, next.isIn]).toContain(true);
  });
});

describe('a probe', () => {
  it('is sent although earlier calls are still in flight', async () => {
    const all = await place.comeAll(5);
    await all[4]!.isRefused();
    await place.clock.pass(10 * SECOND);
    expect(all[4]!.isIn).toBe(true);
  });

  it('that is refused closes again', async () => {
    const refused = await place.close();
    await place.clock.pass(10 * SECOND);
    await refused.isRefused();
    await place.clock.pass(9 * SECOND);
    expect(refused.isIn).toBe(false);
    await place.clock.pass(SECOND);
    expect(refused.isIn).toBe(true);
  });

  it('that ends without an answer passes the turn on at once', async () => {
    const first = await place.close();
    const second = await place.come();
    await place.clock.pass(10 * SECOND);
    await first.ends();
    expect(second.isIn).toBe(true);
  });

  it('that hangs passes the turn on after ten seconds, and at most five hang', async () => {
    const all = [await place.close(), ...(await place.comeAll(9))];
    const counts: number[] = [];
    for (let step = 0; step < 7; step++) {
      await place.clock.pass(10 * SECOND);
      counts.push(inside(all));
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 5, 5]);
    await all.find(({ isIn }) => isIn)!.succeeds();
    expect(inside(all)).toBe(5);
  });

  it('that hung while another one was refused proves nothing', async () => {
    const [first, second, third] = [await place.close(), ...(await place.comeAll(2))];
    await place.clock.pass(20 * SECOND);
    const [stuck, refused] = [first, second, third].filter((each) => each?.isIn === true);
    await refused!.isRefused();
    await stuck!.succeeds();
    await place.clock.pass(9 * SECOND);
    const waiting = [first, second, third].filter((each) => each !== stuck);
    expect(waiting.map((each) => each?.isIn)).toEqual([false, false]);
    await place.clock.pass(SECOND);
    expect(waiting.filter((each) => each?.isIn)).toHaveLength(1);
  });

  it('whose caller was cancelled while it waited leaves the turn to another', async () => {
    const stop = new AbortController();
    const refused = await place.come({ signal: stop.signal });
    await refused.isRefused();
    const other = await place.come();
    await place.clock.pass(5 * SECOND);
    stop.abort();
    await place.clock.pass(5 * SECOND);
    expect(refused.admission).toEqual({ left: true });
    expect(other.isIn).toBe(true);
  });
});

describe('two minutes without a success', () => {
  it('end every wait, with the number of probes', async () => {
    const all = [await place.close(), ...(await place.comeAll(3))];
    while (place.clock.now() < 119 * SECOND) {
      await place.clock.pass(SECOND);
      for (const each of all) if (each.isIn) await each.isRefused();
    }
    expect(all.every(({ admission }) => admission === undefined)).toBe(true);
    await place.clock.pass(SECOND);
    const refusesAll = { forMs: 2 * MINUTE, probes: 11, restMs: expect.any(Number) as number };
    expect(all.map(({ admission }) => admission)).toEqual(all.map(() => ({ refusesAll })));
  });

  it('begin with the last success', async () => {
    const [first, second] = await place.comeAll(2);
    await first!.isRefused();
    await place.clock.pass(9 * SECOND);
    await second!.succeeds();
    while (place.clock.now() < 128 * SECOND) {
      await place.clock.pass(SECOND);
      if (first!.isIn) await first!.isRefused();
    }
    expect(first!.admission).toBeUndefined();
    await place.clock.pass(SECOND);
    expect(first!.admission).toHaveProperty('refusesAll');
  });

  it('begin with the first caller if there was none before', async () => {
    const stop = new AbortController();
    const gone = await place.come({ signal: stop.signal });
    await gone.isRefused(MINUTE);
    stop.abort();
    await place.clock.pass(2.5 * MINUTE);
    const late = await place.come();
    expect(late.isIn).toBe(true);
    await late.isRefused();
    await place.clock.pass(MINUTE);
    expect(late.isIn).toBe(true);
  });

  it('do not keep a caller waiting whose own time is over', async () => {
    const refused = await place.close();
    const waiting = await place.come({ signal: timeOut(5 * SECOND) });
    await place.clock.pass(5 * SECOND);
    const refusesAll = { forMs: 5 * SECOND, probes: 0, restMs: 5 * SECOND };
    expect(waiting.admission).toEqual({ refusesAll });
    expect(refused.admission).toBeUndefined();
  });
});

/** A time-out signal on the place's clock. */
function timeOut(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  place.clock.alarm(milliseconds, () => controller.abort(new DOMException('Too late', 'TimeoutError')));
  return controller.signal;
}
