import { Random } from '../soak/util/random';
import { removing } from '../engine/support/syncRuns';
import { itemsOf, RETRY, useWorkplace, type Workplace } from '../engine/support/workplace';
import { SEED } from './seed';
import { FAULTS, isUntrue } from './support/faults';
import { judgeSync, type Wanted } from './support/judgeSync';
import { SecondWriter } from './support/secondWriter';
import type * as QuickWaits from './support/quickWaits';

jest.mock(
  '../../nodes/ApplicationDataService/service/http/retry',
  () => jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickWaits().retry,
);
jest.mock(
  '../../nodes/ApplicationDataService/service/http/limiter',
  () => jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickWaits().limiter,
);
jest.mock('../../nodes/ApplicationDataService/service/application/session', () => ({
  ...jest.requireActual<object>('../../nodes/ApplicationDataService/service/application/session'),
  CALLS_AT_ONCE: 1,
}));

/**
 * Every fault at every call of Sync while somebody else writes at random moments: with Continue On Fail, with Retry On
 * Fail, or cancelled in the middle. What the node did and reported is compared with the records at each moment.
 */
const place = useWorkplace(null);

/** One item is changed, one created, one unchanged; "Old" and "Older" are removed. */
const WANTED: readonly Wanted[] = [
  { n: 'Bolt', p: '11' },
  { n: 'Cap', p: '12' },
  { n: 'Nut', p: '10' },
];
const RECORDS = ['Bolt', 'Nut', 'Old', 'Older'].map((Name) => ({ Name, Price: '10' }));

/** The number of calls in a run with two removals, including those that settle a doubt. */
const STEPS = 16;

const MODES = {
  'Continue On Fail': { onError: 'continueRegularOutput' },
  'Retry On Fail': RETRY,
  cancelled: RETRY,
} as const;

/** @returns the problems, and what the run reported. */
async function runOnce(faultName: string, skip: number, mode: keyof typeof MODES): Promise<unknown[]> {
  const random = new Random(`${SEED}/${faultName}/${skip}/${mode}`);
  await place.open({ records: RECORDS });
  const writer = await SecondWriter.beside(place, random, random.pick([0.1, 0.3, 0.6]));
  let stop = (): void => undefined;
  const cancel = new Promise<void>((resolve) => (stop = resolve));
  const lastCall = mode === 'cancelled' ? random.integer(1, 2 * STEPS) : Number.POSITIVE_INFINITY;
  const meet: Parameters<Workplace['meanwhile']>[1] = async (count, call) => {
    await writer.meet(call);
    if (count === lastCall) stop();
  };
  const fault = { ...FAULTS[faultName]!, skip, times: 1 };
  const held = [
    await place.sandbox.holdDuring({ when: 'before' }, meet),
    await place.sandbox.holdDuring({ when: 'after' }, meet),
  ];
  await place.sandbox.setFaults([...held, fault]);
  const input = itemsOf(...WANTED.map(({ n, p }) => ({ n, p })));
  // With one call at a time, it is known who did what, and a seed always draws the same numbers.
  const options = { allowMostRemovals: random.chance(0.5) };
  const { json, error, hints } = await place.sync(
    { ...removing, options },
    { input, node: MODES[mode], cancel },
  );
  await place.engine.idle();
  await writer.end();
  const isWhole = error === undefined && mode !== 'cancelled';
  const report = {
    said: isWhole ? json : null,
    error: `${error?.message ?? ''} ${error?.description ?? ''}`,
    sum: hints.find(({ message }) => message.includes(' created, '))?.message ?? '',
  };
  const mostCreated = isUntrue(FAULTS[faultName]!) && mode !== 'Continue On Fail' ? 2 : 1;
  return [judgeSync(WANTED, report, writer, mostCreated), report];
}

describe.each(Object.keys(MODES) as (keyof typeof MODES)[])('%s', (mode) => {
  test.each(Object.keys(FAULTS))(
    '%s at each call',
    async (faultName) => {
      for (let skip = 0; skip < STEPS; skip++) {
        const [problems, report] = await runOnce(faultName, skip, mode);
        expect([faultName, skip, problems, report]).toEqual([faultName, skip, [], report]);
      }
    },
    300_000,
  );
});
