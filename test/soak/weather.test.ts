import { Random } from './util/random';
import { Shift } from './util/shift';
import { isUntruth, makeWeather, type Spell, type Weathered } from './world/weather';
import type { Fault } from '../support/sandbox';

const MINUTE = 60_000;

/** A busy sandbox: it takes its time to take on faults, and to end. Notes when it may have been untrue. */
class BusyService implements Weathered {
  readonly spells: Spell[] = [];
  private since: number | null = null;

  readonly sandbox = {
    setFaults: async (faults: readonly Fault[]): Promise<void> => await this.become(faults.some(isUntruth)),
    clearFaults: async (): Promise<void> => await this.become(false),
  };

  async restart(): Promise<void> {
    await this.become(false);
  }

  private async become(isUntrue: boolean): Promise<void> {
    const from = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 700));
    if (this.since !== null) this.spells.push([this.since, Date.now()]);
    this.since = isUntrue ? from : null;
  }
}

afterEach(() => jest.useRealTimers());

test('a spell of untrue refusals lasts until others have taken its place', async () => {
  jest.useFakeTimers();
  const service = new BusyService();
  const weather = makeWeather(service, new Random('1'), new Shift(10 * MINUTE));
  await jest.advanceTimersByTimeAsync(11 * MINUTE);
  const { untruths } = await weather;
  expect(untruths.length).toBeGreaterThan(5);
  expect(untruths).toEqual(service.spells);
});
