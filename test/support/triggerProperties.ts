import fc from 'fast-check';

import type { EventName } from '../../nodes/ApplicationDataService/trigger/poll/context';
import {
  beginning,
  begins,
  breakage,
  change,
  create,
  engines,
  happening,
  histories,
  key,
  kind,
  maintenance,
  minute,
  secret,
} from './triggerArbitraries';
import type { WorldKind } from './triggerHappenings';
import { TriggerHistory } from './triggerHistory';
import type { Engine, HistorySettings, Step } from './triggerSteps';

/** How many histories are generated for each property, and from which seed. */
export interface Extent {
  readonly histories: number;
  readonly seed: number;
}

/** Random histories wait for nothing, but hundreds of them take a busy machine long. */
const MAX_MS = 600_000;

const ALL: ReadonlySet<EventName> = new Set(['created', 'updated', 'deleted']);

/** The settings of a poll if a property does not change them. */
const settings: HistorySettings = {
  fingerprint: 'test',
  events: ALL,
  credential: 'all',
  watched: [],
  emitExisting: false,
  maxRecords: 10_000,
};

/** Plays a history to its end. @returns the complaints. */
async function complaintsOf(
  existing: number,
  script: readonly Step[],
  world: WorldKind,
  watched: HistorySettings,
  engine: Engine,
  callsInTheEnd: number,
): Promise<readonly string[]> {
  const history = new TriggerHistory(world, watched, engine, callsInTheEnd);
  for (let index = 0; index < existing; index++)
    history.world.happen({ kind: 'create', matches: index % 3 > 0 });
  await history.play(script);
  await history.settle();
  return history.judge();
}

async function holds(
  { histories: numRuns, seed }: Extent,
  worlds: fc.Arbitrary<WorldKind>,
  watched: fc.Arbitrary<HistorySettings>,
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

/** Tests what the trigger promises, whatever happens. */
export function describeHistories(extent: Extent): void {
  jest.setTimeout(MAX_MS);
  describe('a history of creates, changes, deletes, polls, failures and restarts', () => {
    it('emits every change once, in order, and nothing else', async () => {
      await holds(extent, kind, fc.constant(settings));
    });

    it('does so with few records per poll, and drops nothing', async () => {
      await holds(
        extent,
        kind,
        fc.integer({ min: 1, max: 4 }).map((maxRecords) => ({ ...settings, maxRecords })),
      );
    });

    it('does so if it begins with the existing records', async () => {
      await holds(
        extent,
        kind,
        fc
          .integer({ min: 1, max: 40 })
          .map((maxRecords) => ({ ...settings, maxRecords, emitExisting: true })),
      );
    });

    it('does so if only some parts are watched', async () => {
      await holds(extent, kind, fc.constant({ ...settings, watched: ['2'] }));
    });

    it('does so with quick polls between full scans', async () => {
      await holds(
        extent,
        kind,
        fc.integer({ min: 0, max: 20 }).map((minutes) => ({
          ...settings,
          quick: { part: '4', fullScanEveryMs: minutes * 60_000 },
        })),
      );
    });

    it('finds all changes that move the date of the last change by quick polls alone', async () => {
      const loud = fc.oneof(
        create,
        minute,
        change.map((each) => ({ ...each, quiet: false })),
      );
      await holds(
        extent,
        kind.map((world) => ({ ...world, narrowed: false })),
        fc.constant({ ...settings, quick: { part: '4', fullScanEveryMs: Infinity } }),
        histories(loud),
      );
    });

    it('does so if a record or a file always fails', async () => {
      await holds(extent, kind, fc.constant(settings), histories(fc.oneof(happening, breakage)));
    });

    it('does so if that happens during quick polls', async () => {
      await holds(
        extent,
        kind,
        fc.constant({ ...settings, quick: { part: '4', fullScanEveryMs: 10 * 60_000 } }),
        histories(fc.oneof(happening, breakage)),
      );
    });

    it('does so if a page takes half of a poll', async () => {
      const slow = kind.map((world) => ({ ...world, msPerRecord: 40, takesIds: false }));
      await holds(extent, slow, fc.constant(settings), histories(happening), 40);
    });

    it('does so during maintenance, when an application shows nothing', async () => {
      await holds(
        extent,
        kind,
        fc.constant(settings),
        histories(fc.oneof({ weight: 9, arbitrary: happening }, begins), maintenance),
      );
    });

    it('does so if the key is replaced by one that shows more, or fewer, records', async () => {
      const seen = kind.map((world) => ({ ...world, narrowed: false }));
      const changes = histories(fc.oneof(happening, secret), key);
      await holds(extent, seen, fc.constant(settings), changes);
    });
  });
}
