import { AsyncLocalStorage } from 'node:async_hooks';

import type { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import {
  Limiters,
  type Permit,
  type PlannedCall,
} from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { FakeClock, settled } from '../../../support/fakeClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A caller and what has become of it. */
class Visitor {
  permit: Permit | null = null;
  failure: ServiceError | null = null;

  constructor(
    readonly call: PlannedCall,
    entering: Promise<Permit>,
  ) {
    void entering.then(
      (permit) => (this.permit = permit),
      (failure: unknown) => (this.failure = failure as ServiceError),
    );
  }

  async is(...events: readonly ('accepted' | 'progress' | 'end')[]): Promise<void> {
    for (const event of events) this.permit![event]();
    await settled();
  }

  async isRefused(retryAfterMs?: number): Promise<void> {
    this.permit!.refused(retryAfterMs);
    await this.is('end');
  }
}

class Place {
  readonly clock = new FakeClock();
  readonly limiters = new Limiters(this.clock);

  async come(caller: { turn?: unknown; urgent?: boolean } = {}, signal?: AbortSignal): Promise<Visitor> {
    const { turn = Symbol('turn'), urgent = false } = caller;
    return await this.enter({ turn, urgent, signal });
  }

  async enter(call: PlannedCall): Promise<Visitor> {
    const visitor = new Visitor(call, this.limiters.enter('service', call));
    await settled();
    return visitor;
  }

  async comeAll(count: number, caller: Parameters<Place['come']>[0] = {}): Promise<Visitor[]> {
    const all: Visitor[] = [];
    for (let number = 0; number < count; number++) all.push(await this.come(caller));
    return all;
  }

  /** A call is refused, and nobody else waits. */
  async close(retryAfterMs?: number): Promise<void> {
    await (await this.come()).isRefused(retryAfterMs);
  }

  /** A call is refused, and the next one succeeds. */
  async reopen(): Promise<void> {
    await this.close();
    const next = await this.come();
    await this.clock.pass(10 * SECOND);
    await next.is('accepted', 'end');
  }

  /** How many calls it allows at once now. */
  async allowed(): Promise<number> {
    const all = await this.comeAll(9);
    const count = inside(all);
    for (const each of all) await each.is('accepted', 'end');
    return count;
  }
}

const inside = (visitors: readonly Visitor[]): number =>
  visitors.filter(({ permit }) => permit !== null).length;

let place: Place;
beforeEach(() => (place = new Place()));

describe('an open limiter', () => {
  test('allows five calls at once, and the next one when one has ended', async () => {
    const visitors = await place.comeAll(7);
    expect(inside(visitors)).toBe(5);
    await visitors[0]!.is('accepted', 'end');
    expect(inside(visitors)).toBe(6);
  });

  test('allows four of these to one turn, the others to others', async () => {
    const many = await place.comeAll(6, { turn: 'many' });
    const others = await place.comeAll(2);
    expect([inside(many), inside(others)]).toEqual([4, 1]);
    await many[0]!.is('end');
    expect([inside(many), inside(others)]).toEqual([5, 1]);
    await others[0]!.is('end');
    expect([inside(many), inside(others)]).toEqual([5, 2]);
  });

  test('gives a single call its turn among the many of others', async () => {
    const many = await place.comeAll(50, { turn: 'many' });
    const other = await place.come({ turn: 'other' });
    await many[0]!.is('end');
    await many[1]!.is('end');
    expect(other.permit).not.toBeNull();
  });

  test('lets a person in the editor go first', async () => {
    const many = await place.comeAll(20);
    const editor = await place.come({ urgent: true });
    await many[0]!.is('end');
    expect(editor.permit).not.toBeNull();
  });

  test('lets a cancelled caller leave at once, and keeps the permit of one that was admitted', async () => {
    const stop = new AbortController();
    const [first] = [await place.come({}, stop.signal), await place.comeAll(4)];
    const waiting = await place.come({}, stop.signal);
    const next = await place.come();
    stop.abort();
    await settled();
    expect([waiting.failure?.kind, next.permit]).toEqual(['cancelled', null]);
    await first.is('end');
    expect(next.permit).not.toBeNull();
    expect((await place.come({}, stop.signal)).failure?.kind).toBe('cancelled');
  });

  test('keeps every caller in its own async context', async () => {
    const context = new AsyncLocalStorage<string>();
    const [first] = await context.run('first', async () => await place.comeAll(5));
    let seen: string | undefined;
    void context.run('last', async () => {
      await place.limiters.enter('service', { turn: 1, urgent: false });
      seen = context.getStore();
    });
    await context.run('other', async () => await first!.is('end'));
    expect(seen).toBe('last');
  });

  test.each<[string, (visitor: Visitor) => Promise<void>]>([
    ['is being called', async () => await Promise.resolve()],
    ['is closed by a 429', async (visitor) => await visitor.isRefused()],
  ])(
    'is one for each service; of a hundred and more the oldest is forgotten, but not one that %s',
    async (_, act) => {
      const visitors = await place.comeAll(5);
      for (const visitor of visitors) await act(visitor);
      for (let number = 0; number < 200; number++) {
        const permit = await place.limiters.enter(`other ${number}`, { turn: 1, urgent: false });
        permit.end();
      }
      expect((await place.come()).permit).toBeNull();
      expect((place.limiters as unknown as { limiters: Map<string, unknown> }).limiters.size).toBe(100);
    },
  );
});

describe('after a 429', () => {
  test.each([
    // what the service says, how long nothing is sent
    [undefined, 10 * SECOND],
    [3 * SECOND, 3 * SECOND],
    [0, 250],
    [10 * MINUTE, 2 * MINUTE],
  ])('that asks for %s ms, nothing is sent for %i ms, and then one call', async (asked, rest) => {
    await place.close(asked);
    const first = await place.come();
    const others = await place.comeAll(5);
    await place.clock.pass(rest - 1);
    expect(inside([first, ...others])).toBe(0);
    await place.clock.pass(1);
    expect([inside([first]), inside(others)]).toEqual([1, 0]);
  });

  test('half as many go at once, and one more each minute, up to five', async () => {
    await place.reopen();
    const seen: number[] = [];
    for (let minute = 0; minute < 5; minute++) {
      seen.push(await place.allowed());
      await place.clock.pass(MINUTE);
    }
    expect(seen).toEqual([2, 3, 4, 5, 5]);
  });

  test('one at least is left, however often it happens', async () => {
    for (let time = 0; time < 4; time++) await place.reopen();
    expect(await place.allowed()).toBe(1);
  });

  test('calls that were refused together count once, and a success from before says nothing', async () => {
    const [one, two, three] = await place.comeAll(3);
    await one!.isRefused();
    await two!.isRefused();
    await three!.is('accepted', 'end');
    const probe = await place.come();
    expect(probe.permit).toBeNull();
    await place.clock.pass(10 * SECOND);
    await probe.is('accepted', 'end');
    expect(await place.allowed()).toBe(2);
  });

  test('a refused try closes it again', async () => {
    await place.close();
    const [probe, other] = await place.comeAll(2);
    await place.clock.pass(10 * SECOND);
    await probe!.isRefused();
    expect(other!.permit).toBeNull();
    await place.clock.pass(10 * SECOND);
    expect(other!.permit).not.toBeNull();
  });

  test('a try that ends in another way is followed by the next', async () => {
    await place.close();
    const [probe, other] = await place.comeAll(2);
    await place.clock.pass(10 * SECOND);
    await probe!.is('end');
    expect(other!.permit).not.toBeNull();
  });

  test('all that wait are told after two minutes without a success', async () => {
    await place.close();
    const [probe, ...others] = await place.comeAll(4);
    await place.clock.pass(2 * MINUTE - 1);
    expect(others.map(({ failure }) => failure)).toEqual([null, null, null]);
    await place.clock.pass(1);
    for (const { failure } of others) {
      expect(failure).toMatchObject({
        kind: 'busy',
        message: 'The service is busy (HTTP 429): it has accepted no call for 120 seconds',
        details: { status: 429 },
      });
    }
    await probe!.is('accepted', 'end');
    expect(await place.allowed()).toBe(2);
  });

  test('a body that is being sent or read is a success', async () => {
    await place.close();
    const [sending, waiting] = await place.comeAll(2);
    for (let minute = 0; minute < 10; minute++) {
      await place.clock.pass(MINUTE);
      await sending!.is('progress');
    }
    expect(waiting!.failure).toBeNull();
    await sending!.is('accepted', 'end');
    expect(waiting!.permit).not.toBeNull();
  });

  test.each([
    ['alone', 2 * MINUTE],
    ['while others succeed', 2.5 * MINUTE],
  ])('a call that is refused each time is told, %s', async (how, most) => {
    const call: PlannedCall = { turn: 'refused', urgent: false };
    let visitor = await place.enter(call);
    while (visitor.failure === null && place.clock.now() < 5 * MINUTE) {
      if (visitor.permit === null) {
        await place.clock.pass(SECOND);
        continue;
      }
      await visitor.isRefused();
      const other = how === 'alone' ? null : await place.come();
      visitor = await place.enter(call);
      if (other !== null) await place.clock.pass(10 * SECOND);
      if (other?.permit) await other.is('accepted', 'end');
    }
    expect(visitor.failure?.kind).toBe('busy');
    expect(place.clock.now()).toBeLessThanOrEqual(most);
  });

  test('who waits while one call takes long is let in as the limit grows', async () => {
    for (let time = 0; time < 3; time++) await place.reopen();
    const long = await place.come();
    const editor = await place.come({ urgent: true });
    await place.clock.pass(MINUTE);
    expect([long.permit, editor.permit]).not.toContain(null);
  });

  test('who comes beside a call that takes long is not told at once', async () => {
    const uploading = await place.come();
    await place.close();
    await place.clock.pass(2 * MINUTE);
    expect((await place.come()).failure).toBeNull();
    await uploading.is('end');
  });

  test('who comes after a long time has two minutes, too', async () => {
    await place.close(2 * MINUTE);
    await place.clock.pass(MINUTE);
    const waiting = await place.come();
    await place.clock.pass(MINUTE);
    expect(waiting.permit).not.toBeNull();
  });

  test('who runs out of time was refused, who cancels was not', async () => {
    await place.close();
    const [time, stop] = [new AbortController(), new AbortController()];
    const late = await place.come({}, time.signal);
    const cancelled = await place.come({}, stop.signal);
    time.abort(new DOMException('The time is over', 'TimeoutError'));
    stop.abort();
    await settled();
    expect([late.failure?.kind, cancelled.failure?.kind]).toEqual(['busy', 'cancelled']);
  });

  test('no timer remains once nobody waits', async () => {
    await place.reopen();
    await place.clock.pass(2 * MINUTE);
    expect(place.clock.alarms).toBe(0);
  });
});
