import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';

import type { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters, type PlannedCall } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { FakeClock } from '../../../support/fakeClock';

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
      const planned = { ...each, signal: leaving.signal };
      let left = each.refusals;
      while (await this.isRefused(each, planned, left > 0)) left--;
    } catch (error) {
      expect(['busy', 'cancelled']).toContain((error as ServiceError).kind);
    }
    this.ended++;
  }

  private async isRefused(each: Call, call: PlannedCall, isFull: boolean): Promise<boolean> {
    const permit = await this.limiters.enter('service', call);
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
