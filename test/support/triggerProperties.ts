import fc from 'fast-check';

import type { EventName } from '../../nodes/ApplicationDataService/parts/model/keys';
import { TriggerHistory } from './triggerHistory';
import type { Breakage, Happening, HistorySettings, Saving, ScriptStep, WorldKind } from './triggerScript';

/** How many histories are generated for each property, and from which seed. */
export interface Extent {
  readonly histories: number;
  readonly seed: number;
  /** Told of the most polls that a change waited in all histories of a property. */
  readonly report?: (property: string, longestWait: number) => void;
}

/** Random histories wait for nothing, but hundreds of them take a busy machine long. */
const MAX_MS = 600_000;

const ALL: ReadonlySet<EventName> = new Set(['created', 'updated', 'deleted']);

const [which, flag] = [fc.nat({ max: 1000 }), fc.boolean()];
const of = <const K extends string>(kind: K) => ({ kind: fc.constant(kind) });
const change = fc.record({ ...of('change'), which, watched: flag, quiet: flag });
const create = fc.record({ ...of('create'), matches: flag });
const minute = fc.record(of('minute'));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: create },
  { weight: 4, arbitrary: change },
  { weight: 3, arbitrary: fc.record({ ...of('delete'), which }) },
  { weight: 1, arbitrary: fc.record({ ...of('move'), which }) },
  { weight: 2, arbitrary: minute },
);
/** A record or a file that fails for good. */
const breakage = fc.record({
  ...{ ...of('break'), which },
  what: fc.constantFrom<Breakage>('read', 'file', 'nothing'),
});
const maintenance = fc.record({ ...of('maintenance'), isOver: flag });
/** Nobody can notice maintenance that ends just before the next call. */
const begins = fc.record({ ...of('maintenance'), isOver: fc.constant(false) });
const key = fc.record({ ...of('key'), seesSecrets: flag });
const secret = fc.record({ ...of('create'), matches: fc.constant(true), secret: flag });

/** Histories of these happenings. */
function histories(
  happenings: fc.Arbitrary<Happening>,
  between: fc.Arbitrary<Happening> = happenings,
): fc.Arbitrary<ScriptStep[]> {
  const some = fc.oneof({ weight: 5, arbitrary: happenings }, between);
  const poll = fc.record({
    ...of('poll'),
    during: fc.array(happenings, { maxLength: 8 }),
    failAt: fc.option(fc.nat({ max: 12 }), { freq: 3, nil: null }),
    failsOn: flag,
    calls: fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 24 })),
    crashes: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  const step: fc.Arbitrary<ScriptStep> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ ...of('happen'), happenings: fc.array(some, { maxLength: 12 }) }) },
    { weight: 6, arbitrary: poll },
    { weight: 1, arbitrary: fc.record(of('restart')) },
  );
  return fc.array(step, { minLength: 1, maxLength: 14 });
}

const kind: fc.Arbitrary<WorldKind> = fc.record({
  ...{ narrowed: flag, growing: flag, takesIds: flag },
  msPerRecord: fc.constant(0),
});

const existing = fc.integer({ min: 0, max: 30 });
const savings = fc.constantFrom<Saving>('usual', 'durable');

/** The settings of a poll if a property does not change them. */
const settings: HistorySettings = {
  fingerprint: 'test',
  events: ALL,
  watched: [],
  emitExisting: false,
  maxRecords: 10_000,
};

/** Plays a history to its end. */
async function play(
  existing: number,
  script: readonly ScriptStep[],
  world: WorldKind,
  watched: HistorySettings,
  engine: Saving,
  callsInTheEnd: number,
): Promise<TriggerHistory> {
  const history = new TriggerHistory(world, watched, engine, callsInTheEnd);
  for (let index = 0; index < existing; index++)
    history.world.happen({ kind: 'create', matches: index % 3 > 0 });
  await history.play(script);
  await history.settle();
  return history;
}

/** What differs from any world, the plain settings, any history, and polls that have time. */
interface Property {
  readonly worlds?: fc.Arbitrary<WorldKind>;
  readonly watched?: fc.Arbitrary<HistorySettings>;
  readonly steps?: fc.Arbitrary<ScriptStep[]>;
  readonly callsInTheEnd?: number;
}

const quick = (fullScanEveryMs: number): HistorySettings => ({
  ...settings,
  quick: { part: '4', fullScanEveryMs },
});
const few = (max: number, more: Partial<HistorySettings> = {}): fc.Arbitrary<HistorySettings> =>
  fc.integer({ min: 1, max }).map((maxRecords) => ({ ...settings, ...more, maxRecords }));
const wide = kind.map((world) => ({ ...world, narrowed: false }));
const loud = fc.oneof(
  create,
  minute,
  change.map((each) => ({ ...each, quiet: false })),
);
const failing = histories(fc.oneof(happening, breakage));

const PROPERTIES: Readonly<Record<string, Property>> = {
  'emits every change once, in order, and nothing else': {},
  'does so with few records per poll, and drops nothing': { watched: few(4) },
  'does so if it begins with the existing records': { watched: few(40, { emitExisting: true }) },
  'does so if only some parts are watched': { watched: fc.constant({ ...settings, watched: ['2'] }) },
  'does so with quick polls between full scans': {
    watched: fc.integer({ min: 0, max: 20 }).map((minutes) => quick(minutes * 60_000)),
  },
  'finds all changes that move the date of the last change by quick polls alone': {
    ...{ worlds: wide, watched: fc.constant(quick(Infinity)), steps: histories(loud) },
  },
  'does so if a record or a file always fails': { steps: failing },
  'does so if that happens during quick polls': { watched: fc.constant(quick(10 * 60_000)), steps: failing },
  'does so if a page takes half of a poll': {
    worlds: kind.map((world) => ({ ...world, msPerRecord: 40, takesIds: false })),
    callsInTheEnd: 40,
  },
  'does so during maintenance, when an application shows nothing': {
    steps: histories(fc.oneof({ weight: 9, arbitrary: happening }, begins), maintenance),
  },
  'takes what another key shows besides for new, and what it does not show for deleted': {
    ...{ worlds: wide, steps: histories(fc.oneof(happening, secret), key) },
  },
};

/** Tests what the trigger promises, whatever happens. */
export function describeHistories({ histories: numRuns, seed, report }: Extent): void {
  jest.setTimeout(MAX_MS);
  describe('a history of creates, changes, deletes, polls, failures and restarts', () => {
    it.each(Object.entries(PROPERTIES))('%s', async (name, property) => {
      let longestWait = 0;
      const { worlds = kind, watched = fc.constant(settings) } = property;
      const { steps = histories(happening), callsInTheEnd = Infinity } = property;
      const played = fc.asyncProperty(existing, steps, worlds, watched, savings, async (...drawn) => {
        const history = await play(...drawn, callsInTheEnd);
        longestWait = Math.max(longestWait, history.longestWait);
        expect(history.judge()).toEqual([]);
      });
      await fc.assert(played, { numRuns, seed });
      report?.(name, longestWait);
    });
  });
}
