import type { PollSettings } from '../../../nodes/ApplicationDataService/trigger/poll/context';
import { complaintsOf, settings } from '../../support/triggerProperties';
import type { Engine, Step } from '../../support/triggerSteps';
import type { Breakage, Happening, WorldKind } from '../../support/triggerHappenings';

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
const change = (which: number): Happening => ({ kind: 'change', which, watched: false, quiet: false });
const breaks = (which: number, what: Breakage): Happening => ({ kind: 'break', which, what });
const key = (seesSecrets: boolean): Happening => ({ kind: 'key', seesSecrets });
const happen = (...happenings: Happening[]): Step => ({ kind: 'happen', happenings });

function poll(during: readonly Happening[] = [], more: Partial<Extract<Step, { kind: 'poll' }>> = {}): Step {
  return { kind: 'poll', during, failAt: null, failsOn: false, calls: Infinity, crashes: false, ...more };
}

const world: WorldKind = {
  narrowed: false,
  ascending: true,
  growing: false,
  listsWhole: false,
  takesIds: false,
  hasNewest: false,
  msPerRecord: 0,
};

const histories: readonly Past[] = [
  {
    name: 'four records next to each other cannot be listed',
    existing: 7,
    world: { narrowed: true },
    steps: [
      poll([remove(0)]),
      happen(create(), create(false), create(false), remove(0)),
      happen(remove(0), breaks(9, 'list')),
      poll([breaks(491, 'list')], { calls: 2 }),
      happen(create(false)),
      poll([create(), breaks(260, 'list'), breaks(787, 'list'), create()]),
    ],
  },
  {
    name: 'records are deleted before the place where a poll of slow pages goes on',
    existing: 11,
    world: { msPerRecord: 60 },
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
  {
    name: 'a record cannot be read, and the last changed ones cannot be listed',
    existing: 14,
    world: { hasNewest: true },
    watched: { quick: { part: '4', fullScanEveryMs: 600_000 } },
    engine: 'durable',
    steps: [
      poll([breaks(0, 'read'), create(false)], { calls: 2, crashes: true }),
      poll([breaks(308, 'list'), { kind: 'minute' }], { calls: 2 }),
      poll(),
      poll([change(623), remove(46), change(0)]),
      poll([], { calls: 3 }),
    ],
  },
  {
    name: 'the first record cannot be listed and is deleted while the first scan leaves it out',
    existing: 1,
    steps: [happen(create(false)), poll([change(0), breaks(0, 'list'), change(0), remove(0)], { calls: 7 })],
  },
];

test.each(histories)('has the correct result if $name', async (past) => {
  const { existing, steps, engine = 'usual', callsInTheEnd = Infinity } = past;
  const watched = { ...settings, ...past.watched };
  const kind = { ...world, ...past.world };
  expect(await complaintsOf(existing, steps, kind, watched, engine, callsInTheEnd)).toEqual([]);
});
