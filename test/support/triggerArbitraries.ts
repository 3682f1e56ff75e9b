import fc from 'fast-check';

import type { Breakage, Happening, WorldKind } from './triggerHappenings';
import type { Engine, Step } from './triggerSteps';

// Parts of random histories.

const which = fc.nat({ max: 1000 });
export const change = fc.record({
  kind: fc.constant('change' as const),
  which,
  watched: fc.boolean(),
  quiet: fc.boolean(),
});
export const create = fc.record({ kind: fc.constant('create' as const), matches: fc.boolean() });
const remove = fc.record({ kind: fc.constant('delete' as const), which });
const move = fc.record({ kind: fc.constant('move' as const), which });
export const minute = fc.constant({ kind: 'minute' as const });
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: create },
  { weight: 4, arbitrary: change },
  { weight: 3, arbitrary: remove },
  { weight: 1, arbitrary: move },
  { weight: 2, arbitrary: minute },
);

/** Histories of these happenings. */
export function histories(
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

/** A record or a file that fails for good. */
export const breakage = fc.record({
  kind: fc.constant('break' as const),
  which,
  what: fc.constantFrom<Breakage>('read', 'file', 'nothing'),
});
export const maintenance = fc.record({ kind: fc.constant('maintenance' as const), isOver: fc.boolean() });
/** Nobody can notice maintenance that ends just before the next call. */
export const begins = fc.record({ kind: fc.constant('maintenance' as const), isOver: fc.constant(false) });
export const key = fc.record({ kind: fc.constant('key' as const), seesSecrets: fc.boolean() });
export const secret = fc.record({
  kind: fc.constant('create' as const),
  matches: fc.constant(true),
  secret: fc.boolean(),
});
export const beginning = fc.integer({ min: 0, max: 30 });

export const kind: fc.Arbitrary<WorldKind> = fc.record({
  narrowed: fc.boolean(),
  growing: fc.boolean(),
  takesIds: fc.boolean(),
  msPerRecord: fc.constant(0),
});
export const engines = fc.constantFrom<Engine>('usual', 'durable');
