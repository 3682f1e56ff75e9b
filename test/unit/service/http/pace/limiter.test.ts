import { AsyncLocalStorage } from 'node:async_hooks';

import { inside, Place } from './support/place';
import { settled } from '../../../../support/fakeClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let place: Place;
beforeEach(() => (place = new Place()));

describe('an open limiter', () => {
  it('allows five calls at once, and the next one when one has ended', async () => {
    const visitors = await place.comeAll(7);
    expect(inside(visitors)).toBe(5);
    await visitors[0]!.succeeds();
    expect(inside(visitors)).toBe(6);
    visitors[0]!.permit.end();
    await settled();
    expect(inside(visitors)).toBe(6);
  });

  it('gives a single call its turn among the many of others', async () => {
    const many = await place.comeAll(50, { turn: 'many' });
    const other = await place.come({ turn: 'other' });
    await many[0]!.ends();
    await many[1]!.ends();
    expect(other.isIn).toBe(true);
  });

  it('lets a person in the editor go first', async () => {
    const many = await place.comeAll(20);
    const editor = await place.come({ urgent: true });
    await many[0]!.ends();
    expect(editor.isIn).toBe(true);
  });

  it('has at most two permits for files, and other calls overtake them', async () => {
    const files = await place.comeAll(5, { streams: true });
    expect(inside(files)).toBe(2);
    const others = await place.comeAll(4);
    expect(inside(others)).toBe(3);
    await files[0]!.ends();
    expect([inside(files), inside(others)]).toEqual([3, 3]);
  });

  it('lets a cancelled caller leave at once', async () => {
    const all = await place.comeAll(5);
    const stop = new AbortController();
    const waiting = await place.come({ signal: stop.signal });
    stop.abort();
    await settled();
    expect(waiting.admission).toEqual({ left: true });
    const next = await place.come();
    await all[0]!.ends();
    expect(next.isIn).toBe(true);
    expect((await place.come({ signal: stop.signal })).admission).toEqual({ left: true });
  });

  it('keeps the permit of a cancelled call until the exchange has ended', async () => {
    const stop = new AbortController();
    const [first] = await place.comeAll(5, { signal: stop.signal });
    const waiting = await place.come();
    stop.abort();
    await settled();
    expect(waiting.isIn).toBe(false);
    await first!.ends();
    expect(waiting.isIn).toBe(true);
  });

  it('keeps every caller in its own context', async () => {
    const context = new AsyncLocalStorage<string>();
    const [first] = await context.run('first', async () => await place.comeAll(5));
    let seen: string | undefined;
    const wish = { caller: { turn: 1, urgent: false }, streams: false };
    void context.run('last', async () => {
      await place.limiter.enter(wish);
      seen = context.getStore();
    });
    await context.run('other', async () => await first!.ends());
    expect(seen).toBe('last');
  });
});

describe('afterwards', () => {
  it('no timer remains', async () => {
    for (const each of await place.comeAll(3)) await each.succeeds();
    expect(place.clock.alarms).toBe(0);
  });

  it('nor one after a full queue, whose permits are back in time', async () => {
    const refused = await place.close();
    await place.clock.pass(10 * SECOND);
    await refused.succeeds();
    expect(place.clock.alarms).toBe(0);
    await place.clock.pass(3 * MINUTE);
    expect(inside(await place.comeAll(6))).toBe(5);
  });

  it('nor where nobody comes again', async () => {
    const stop = new AbortController();
    const refused = await place.come({ signal: stop.signal });
    await refused.isRefused();
    stop.abort();
    await settled();
    expect(place.clock.alarms).toBe(0);
  });
});
