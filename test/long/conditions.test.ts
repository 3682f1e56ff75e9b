import fc from 'fast-check';

import { conditionRuns } from '../engine/support/conditionRuns';
import { ConditionWorld } from '../engine/support/conditionWorld';
import { SEED } from './seed';

let world: ConditionWorld;

beforeAll(async () => {
  world = await ConditionWorld.start();
});

afterAll(async () => await world.stop());

test('many random conditions find what a plain evaluation in memory finds', async () => {
  await fc.assert(
    fc.asyncProperty(conditionRuns, async (run) => {
      for (const [found, expected] of await world.run(run)) expect(found).toEqual(expected);
    }),
    { numRuns: 600, seed: SEED },
  );
}, 1_200_000);
