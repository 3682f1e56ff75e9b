import { AsyncLocalStorage } from 'node:async_hooks';

import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';

import type { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters, type Permit } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { FakeClock, settled } from '../../../support/fakeClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A caller and what has become of it. */
class Visitor {
  permit: Permit | null = null;
  failure: ServiceError | null = null;

  constructor(entering: Promise<Permit>) {
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

  async come(
    caller: { turn?: unknown; urgent?: boolean; isAgain?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<Visitor> {
    const { turn = Symbol('turn'), urgent = false, isAgain = false } = caller;
    const visitor = new Visitor(this.limiters.enter('service', { turn, urgent }, signal, isAgain));
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

  test('is one for each service, and a hundred and one services are no more than their callers', async () => {
    await place.comeAll(5);
    for (let number = 0; number < 200; number++) {
      const permit = await place.limiters.enter(`other ${number}`, { turn: 1, urgent: false });
      permit.end();
    }
    expect((await place.come()).permit).toBeNull();
    expect((place.limiters as unknown as { limiters: Map<string, unknown> }).limiters.size).toBe(100);
  });
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
    // Two minutes are as long as anybody waits.
    if (rest < 2 * MINUTE) expect([inside([first]), inside(others)]).toEqual([1, 0]);
    else expect(first.failure?.kind).toBe('busy');
  });

  test('half as many go at once, and one more each minute, up to five', async () => {
    await place.close();
    await place.clock.pass(10 * SECOND);
    await (await place.come()).is('accepted', 'end');
    const seen: number[] = [];
    for (let minute = 0; minute < 5; minute++) {
      seen.push(await place.allowed());
      await place.clock.pass(MINUTE);
    }
    expect(seen).toEqual([2, 3, 4, 5, 5]);
  });

  test('one at least is left, however often it happens', async () => {
    for (let time = 0; time < 4; time++) {
      await place.close();
      await place.clock.pass(10 * SECOND);
      await (await place.come()).is('accepted', 'end');
    }
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

  test('a call that is refused each time is told, too', async () => {
    let visitor = await place.come();
    while (visitor.failure === null) {
      if (visitor.permit === null) {
        await place.clock.pass(SECOND);
      } else {
        await visitor.isRefused();
        visitor = await place.come({ isAgain: true });
      }
    }
    expect(place.clock.now()).toBe(2 * MINUTE);
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
    await place.close();
    const probe = await place.come();
    await place.clock.pass(10 * SECOND);
    await probe.is('accepted', 'end');
    await place.clock.pass(2 * MINUTE);
    expect(place.clock.alarms).toBe(0);
  });
});

/** Longer than any history: each starts within half a minute, and every wait ends after two minutes without success. */
const LONG_MS = 3_600_000;

interface Call {
  readonly comesAt: number;
  readonly turn: number;
  readonly urgent: boolean;
  readonly lasts: number;
  /** How often the service refuses it before it answers. */
  readonly refusals: number;
  /** Whether it is answered at all. */
  readonly answered: boolean;
  /** When its caller stops waiting; for most, after its end. */
  readonly leavesAt: number;
}

const call = record<Call>({
  comesAt: integer({ min: 0, max: 30_000 }),
  turn: integer({ min: 0, max: 3 }),
  urgent: boolean(),
  lasts: constantFrom(0, 20, 300, 3000, 15_000),
  refusals: constantFrom(0, 0, 0, 0, 0, 1, 2),
  answered: constantFrom(true, true, true, false),
  leavesAt: constantFrom(LONG_MS, LONG_MS, LONG_MS, 5000, 20_000),
});

/** Makes all calls at their time, and checks what the limiter allows. */
class Crowd {
  readonly clock = new FakeClock();
  private readonly limiters = new Limiters(this.clock);
  private inFlight = 0;
  private closedUntil = 0;
  ended = 0;
  readonly wrong: string[] = [];

  async make(all: readonly Call[]): Promise<void> {
    for (const each of all) this.clock.alarm(each.comesAt, () => void this.run(each));
    await this.clock.pass(LONG_MS);
  }

  private async run(each: Call): Promise<void> {
    const leaving = new AbortController();
    this.clock.alarm(each.leavesAt - this.clock.now(), () => leaving.abort());
    try {
      let left = each.refusals;
      while (await this.isRefused(each, leaving.signal, left)) left--;
    } catch (error) {
      expect(['busy', 'cancelled']).toContain((error as ServiceError).kind);
    }
    this.ended++;
  }

  private async isRefused(each: Call, signal: AbortSignal, left: number): Promise<boolean> {
    const isFull = left > 0;
    const permit = await this.limiters.enter('service', each, signal, left < each.refusals);
    this.inFlight++;
    if (this.inFlight > 5) this.wrong.push(`${this.inFlight} in flight`);
    if (this.clock.now() < this.closedUntil) this.wrong.push('sent while closed');
    await this.clock.sleep(isFull ? 1 : each.lasts);
    this.inFlight--;
    if (isFull) {
      this.closedUntil = this.clock.now() + 10_000;
      permit.refused(undefined);
    } else if (each.answered) {
      permit.accepted();
    }
    permit.end();
    return isFull;
  }
}

test('however many come, leave, are refused or never answered: all end, and nothing remains', async () => {
  await assert(
    asyncProperty(array(call, { maxLength: 40 }), async (all) => {
      const crowd = new Crowd();
      await crowd.make(all);
      expect(crowd.wrong).toEqual([]);
      expect([crowd.ended, crowd.clock.alarms]).toEqual([all.length, 0]);
    }),
    { numRuns: 60 },
  );
});
