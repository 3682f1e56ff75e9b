import fc from 'fast-check';

import type { EventName, PollSettings } from '../../nodes/ApplicationDataService/trigger/poll/settings';
import { History } from './triggerHistory';
import type { Engine, Step } from './triggerSteps';
import type { Breakage, FromId, Happening, WorldKind } from './triggerWorld';

/** How many histories are made up for each property, and from which seed. */
export interface Extent {
  readonly histories: number;
  readonly seed: number;
}

/** Random histories wait for nothing, but a busy machine takes its time for hundreds of them. */
const MOST_MS = 600_000;

const ALL: ReadonlySet<EventName> = new Set(['created', 'updated', 'deleted']);

/** What a history is polled with, where it does not say otherwise. */
export const settings: PollSettings = {
  fingerprint: 'test',
  events: ALL,
  credential: 'all',
  narrowed: false,
  differs: null,
  emitExisting: false,
  maxRecords: 10_000,
  overlap: 2,
};

const which = fc.nat({ max: 1000 });
const change = fc.record({
  kind: fc.constant('change' as const),
  which,
  watched: fc.boolean(),
  quiet: fc.boolean(),
});
const create = fc.record({ kind: fc.constant('create' as const), matches: fc.boolean() });
const remove = fc.record({ kind: fc.constant('delete' as const), which });
const move = fc.record({ kind: fc.constant('move' as const), which });
const minute = fc.constant({ kind: 'minute' as const });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: create },
  { weight: 4, arbitrary: change },
  { weight: 3, arbitrary: remove },
  { weight: 1, arbitrary: move },
  { weight: 2, arbitrary: minute },
);

/** Histories of such happenings. */
function histories(
  happenings: fc.Arbitrary<Happening>,
  between: fc.Arbitrary<Happening> = happenings,
): fc.Arbitrary<Step[]> {
  const happen = fc.record({
    kind: fc.constant('happen' as const),
    happenings: fc.array(fc.oneof({ weight: 5, arbitrary: happenings }, between), { maxLength: 12 }),
  });
  const poll = fc.record({
    kind: fc.constant('poll' as const),
    during: fc.array(happenings, { maxLength: 8 }),
    failAt: fc.option(fc.nat({ max: 12 }), { freq: 3, nil: null }),
    failsOn: fc.boolean(),
    calls: fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 24 })),
    crashes: fc.oneof(
      { weight: 6, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: happen },
    { weight: 6, arbitrary: poll },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  );
  return fc.array(step, { minLength: 1, maxLength: 14 });
}
/** What goes on failing. */
const breakage = fc.record({
  kind: fc.constant('break' as const),
  which,
  what: fc.constantFrom<Breakage>('read', 'list', 'file', 'nothing'),
});
const maintenance = fc.record({ kind: fc.constant('maintenance' as const), isOver: fc.boolean() });
/** No reading can tell of one that ends just before it is asked for. */
const begins = fc.record({ kind: fc.constant('maintenance' as const), isOver: fc.constant(false) });
const key = fc.record({ kind: fc.constant('key' as const), seesSecrets: fc.boolean() });
const secret = fc.record({
  kind: fc.constant('create' as const),
  matches: fc.constant(true),
  secret: fc.boolean(),
});
const beginning = fc.integer({ min: 0, max: 30 });

const anyKind = fc.record({
  narrowed: fc.boolean(),
  ascending: fc.constant(true),
  growing: fc.boolean(),
  listsWhole: fc.boolean(),
  takesIds: fc.boolean(),
  fromId: fc.oneof(
    fc.constant<FromId>('numbers'),
    fc.constantFrom<FromId>('texts', 'holes', 'ignored', 'last', 'nothing', 'refused'),
  ),
  hasNewest: fc.boolean(),
  msPerRecord: fc.constant(0),
});
/** A new record between old ones that no list shows cannot be found. */
const kind = anyKind.map((world): WorldKind =>
  world.growing || world.fromId !== 'holes' ? world : { ...world, fromId: 'texts' },
);
const engines = fc.constantFrom<Engine>('usual', 'durable');

/** Plays a history to its end. @returns what went wrong. */
export async function complaintsOf(
  existing: number,
  script: readonly Step[],
  world: WorldKind,
  watched: PollSettings,
  engine: Engine,
  callsInTheEnd: number,
): Promise<readonly string[]> {
  const history = new History(world, { ...watched, narrowed: world.narrowed }, engine, callsInTheEnd);
  for (let index = 0; index < existing; index++)
    history.world.happen({ kind: 'create', matches: index % 3 > 0 });
  await history.play(script);
  await history.settle();
  return history.judge();
}

async function holds(
  { histories: numRuns, seed }: Extent,
  worlds: fc.Arbitrary<WorldKind>,
  watched: fc.Arbitrary<PollSettings>,
  steps = histories(happening),
  callsInTheEnd = Infinity,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      beginning,
      steps,
      worlds,
      watched,
      engines,
      async (existing, script, world, what, engine) => {
        expect(await complaintsOf(existing, script, world, what, engine, callsInTheEnd)).toEqual([]);
      },
    ),
    { numRuns, seed },
  );
}

/** The tests that hold the trigger to its promises, whatever happens. */
export function describeHistories(extent: Extent): void {
  jest.setTimeout(MOST_MS);
  describe('a history of creates, changes, deletes, polls, failures and restarts', () => {
    it('emits every change once, in order, and nothing else', async () => {
      await holds(extent, kind, fc.constant(settings));
    });

    it('does so when ids are not in order', async () => {
      await holds(
        extent,
        kind.map((world) => ({ ...world, ascending: false })),
        fc.constant(settings),
      );
    });

    it('does so with few records a poll, and drops nothing', async () => {
      await holds(
        extent,
        kind,
        fc.integer({ min: 1, max: 4 }).map((maxRecords) => ({ ...settings, maxRecords })),
      );
    });

    it('does so beginning with the existing records', async () => {
      await holds(
        extent,
        kind,
        fc
          .integer({ min: 1, max: 40 })
          .map((maxRecords) => ({ ...settings, maxRecords, emitExisting: true })),
      );
    });

    it('does so where only some parts are watched', async () => {
      await holds(
        extent,
        kind,
        fc.constant({ ...settings, differs: (known, head) => known.hash !== head.hash }),
      );
    });

    it('does so with quick polls between full scans', async () => {
      await holds(
        extent,
        kind.map((world) => ({ ...world, hasNewest: true })),
        fc.integer({ min: 0, max: 20 }).map((minutes) => ({
          ...settings,
          quick: { part: '4', fullScanEveryMs: minutes * 60_000 },
        })),
      );
    });

    it('finds all that moves the date of the last change by quick polls alone', async () => {
      const loud = fc.oneof(
        create,
        minute,
        change.map((each) => ({ ...each, quiet: false })),
      );
      await holds(
        extent,
        kind.map((world) => ({ ...world, narrowed: false, hasNewest: true })),
        fc.constant({ ...settings, quick: { part: '4', fullScanEveryMs: Infinity } }),
        histories(loud),
      );
    });

    it('does so where a record, a file or a page always fails', async () => {
      await holds(extent, kind, fc.constant(settings), histories(fc.oneof(happening, breakage)));
    });

    it('does so where that happens to quick polls', async () => {
      await holds(
        extent,
        kind.map((world) => ({ ...world, hasNewest: true })),
        fc.constant({ ...settings, quick: { part: '4', fullScanEveryMs: 10 * 60_000 } }),
        histories(fc.oneof(happening, breakage)),
      );
    });

    it('does so where full pages take longer than a poll, and small ones do not', async () => {
      const slow = kind.map((world) => ({ ...world, msPerRecord: 60, hasNewest: false, takesIds: false }));
      await holds(extent, slow, fc.constant(settings), histories(happening), 40);
    });

    it('does so over maintenance, in which an application shows nothing', async () => {
      await holds(
        extent,
        kind,
        fc.constant(settings),
        histories(fc.oneof({ weight: 9, arbitrary: happening }, begins), maintenance),
      );
    });

    it('does so where the key is changed for one that sees more, or less', async () => {
      const seen = kind.map((world) => ({ ...world, narrowed: false }));
      const changes = histories(fc.oneof(happening, secret), key);
      await holds(extent, seen, fc.constant(settings), changes);
    });
  });
}
