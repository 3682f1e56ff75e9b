import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';

import {
  Limiters,
  type Permit,
  type PlannedCall,
} from '../../../../../nodes/ApplicationDataService/service/http/pace/limiter';
import { FakeClock, settled } from '../../../../support/fakeClock';

/**
 * Longer than any history: each starts within half a minute, and every wait ends after two minutes without a success.
 */
const LONG_MS = 3_600_000;

interface Call {
  readonly comesAt: number;
  readonly turn: number;
  readonly urgent: boolean;
  readonly streams: boolean;
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
  streams: boolean(),
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
  private files = 0;
  private closedUntil = 0;
  ended = 0;
  readonly wrong: string[] = [];

  async make(all: readonly Call[]): Promise<void> {
    for (const each of all) this.clock.alarm(each.comesAt, () => void this.run(each));
    await this.clock.pass(LONG_MS);
    await settled();
  }

  private async run(each: Call): Promise<void> {
    const leaving = new AbortController();
    this.clock.alarm(each.leavesAt - this.clock.now(), () => leaving.abort());
    const caller = { turn: each.turn, urgent: each.urgent };
    const wish: PlannedCall = { caller, streams: each.streams, signal: leaving.signal };
    let admission = await this.limiters.enter('service', wish);
    for (let refusals = each.refusals; 'permit' in admission; refusals--) {
      const full = await this.use(admission.permit, each, refusals > 0);
      if (!full) break;
      admission = await admission.permit.refused(undefined);
    }
    this.ended++;
  }

  private async use(permit: Permit, { streams, lasts, answered }: Call, isFull: boolean): Promise<boolean> {
    this.inFlight++;
    if (streams) this.files++;
    if (this.inFlight > 10) this.wrong.push(`${this.inFlight} in flight`);
    if (this.files > 7) this.wrong.push(`${this.files} stream files`);
    if (this.clock.now() < this.closedUntil) this.wrong.push(`sent while closed`);
    await new Promise<void>((resolve) => this.clock.alarm(isFull ? 1 : lasts, resolve));
    this.inFlight--;
    if (streams) this.files--;
    if (isFull) {
      // Calls that were sent together are refused together.
      if (this.clock.now() > this.closedUntil) this.closedUntil = this.clock.now() + 10_000;
      return true;
    }
    if (answered) permit.accepted();
    permit.end();
    return false;
  }
}

it('however many arrive, leave, are refused or never answered: all end, and nothing remains', async () => {
  await assert(
    asyncProperty(array(call, { maxLength: 40 }), async (all) => {
      const crowd = new Crowd();
      await crowd.make(all);
      expect(crowd.wrong).toEqual([]);
      expect(crowd.ended).toBe(all.length);
      expect(crowd.clock.alarms).toBe(0);
    }),
    { numRuns: 60 },
  );
});

it('without a 429, five calls are in flight at most, and as many as there are permits', async () => {
  await assert(
    asyncProperty(array(call, { minLength: 1, maxLength: 40 }), async (all) => {
      const clock = new FakeClock();
      const limiters = new Limiters(clock);
      let [inFlight, files, most] = [0, 0, 0];
      const use = async ({ turn, urgent, streams, lasts }: Call): Promise<void> => {
        const admission = await limiters.enter('service', { caller: { turn, urgent }, streams });
        if (!('permit' in admission)) throw new Error('Not admitted');
        inFlight++;
        if (streams) files++;
        most = Math.max(most, inFlight);
        expect(inFlight).toBeLessThanOrEqual(5);
        expect(files).toBeLessThanOrEqual(2);
        await new Promise<void>((resolve) => clock.alarm(lasts, resolve));
        inFlight--;
        if (streams) files--;
        admission.permit.end();
      };
      const done = Promise.all(all.map(use));
      await clock.pass(LONG_MS);
      await done;
      const streaming = all.filter(({ streams }) => streams).length;
      expect(most).toBe(Math.min(5, all.length - streaming + Math.min(2, streaming)));
    }),
    { numRuns: 60 },
  );
});

it('services have separate limiters', async () => {
  const limiters = new Limiters(new FakeClock());
  const wish: PlannedCall = { caller: { turn: 1, urgent: false }, streams: false };
  for (let number = 0; number < 5; number++) await limiters.enter('one', wish);
  expect(await limiters.enter('other', wish)).toHaveProperty('permit');
});
