import { expectTruth, SCENARIOS, tallyOf, type Bounds } from '../unit/service/write/support/histories';

const BOUNDS: readonly Bounds[] = [
  { rivals: 2, faults: 1, tries: 1 },
  { rivals: 1, faults: 2, tries: 2 },
  { rivals: 2, faults: 2, tries: 1 },
];

describe.each(BOUNDS)('$rivals other writes, $faults faults, $tries tries', (bounds) => {
  test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
    '%s: what is told is true',
    async (_, scenario) =>
      expectTruth(scenario, await tallyOf(scenario, bounds), bounds.rivals > 1 ? 0.95 : undefined),
    1_200_000,
  );
});

test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
  '%s: what is told is true of a service that stores other texts than it is sent',
  async (_, scenario) => {
    const { wrong } = await tallyOf(scenario, { rivals: 1, faults: 2, tries: 2, trims: true });
    expect(wrong).toEqual([]);
  },
  1_200_000,
);
