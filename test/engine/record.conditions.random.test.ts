import fc from 'fast-check';

import { conditionRuns } from './support/conditionRuns';
import { ConditionWorld } from './support/conditionWorld';

let world: ConditionWorld;

beforeAll(async () => {
  world = await ConditionWorld.start();
});

afterAll(async () => await world.stop());

test('random conditions find what a plain evaluation in memory finds', async () => {
  await fc.assert(
    fc.asyncProperty(conditionRuns, async (run) => {
      for (const [found, expected] of await world.run(run)) expect(found).toEqual(expected);
    }),
    { numRuns: 25, seed: 1 },
  );
}, 60_000);
