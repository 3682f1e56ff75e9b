import type { PollSettings } from '../../../nodes/ApplicationDataService/trigger/poll/context';
import { complaintsOf, settings } from '../../support/triggerProperties';
import type { Engine, Step } from '../../support/triggerSteps';
import type { Happening, WorldKind } from '../../support/triggerHappenings';

/** A history that once had a wrong result, as short as possible. */
interface Past {
  readonly name: string;
  readonly existing: number;
  readonly steps: readonly Step[];
  readonly world?: Partial<WorldKind>;
  readonly watched?: Partial<PollSettings>;
  readonly engine?: Engine;
  readonly callsInTheEnd?: number;
}

const create = (matches = true): Happening => ({ kind: 'create', matches });
const remove = (which: number): Happening => ({ kind: 'delete', which });
const key = (seesSecrets: boolean): Happening => ({ kind: 'key', seesSecrets });
const happen = (...happenings: Happening[]): Step => ({ kind: 'happen', happenings });

function poll(during: readonly Happening[] = [], more: Partial<Extract<Step, { kind: 'poll' }>> = {}): Step {
  return { kind: 'poll', during, failAt: null, failsOn: false, calls: Infinity, crashes: false, ...more };
}

const world: WorldKind = {
  narrowed: false,
  growing: false,
  takesIds: false,
  msPerRecord: 0,
};

const histories: readonly Past[] = [
  {
    name: 'records are deleted before the place where a poll of slow pages goes on',
    existing: 11,
    world: { msPerRecord: 40 },
    callsInTheEnd: 40,
    steps: [
      poll([], { failAt: 4 }),
      poll([create(false)], { calls: 2, crashes: true }),
      happen(remove(0), remove(0)),
      happen(remove(0)),
    ],
  },
  {
    name: 'a record comes between older ones before the first scan with another key is done',
    existing: 0,
    steps: [
      happen(key(false)),
      poll(),
      happen(create(), create(), key(true), create()),
      poll([], { calls: 2 }),
      poll([create(false)], { calls: 2 }),
      poll(),
    ],
  },
  {
    name: 'the key is changed before the first scan is done',
    existing: 3,
    steps: [
      poll([], { calls: 2 }),
      happen(create(false), create(false), create(false)),
      happen(key(false), create()),
      poll([remove(0), create(false)]),
      poll([], { calls: 2 }),
    ],
  },
];

test.each(histories)('has the correct result if $name', async (past) => {
  const { existing, steps, engine = 'usual', callsInTheEnd = Infinity } = past;
  const watched = { ...settings, ...past.watched };
  const kind = { ...world, ...past.world };
  expect(await complaintsOf(existing, steps, kind, watched, engine, callsInTheEnd)).toEqual([]);
});
