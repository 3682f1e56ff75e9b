import { expectTruth, SCENARIOS, tallyOf } from './support/histories';

// Every history within these bounds is run against the code; test/long/histories.test.ts has wider ones.
test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
  '%s: what is told is true, whatever fails and whoever else writes',
  async (_, scenario) => {
    expectTruth(scenario, await tallyOf(scenario, { rivals: 1, faults: 1, tries: 2 }));
    const { wrong } = await tallyOf(scenario, { rivals: 0, faults: 2, tries: 2 });
    expect(wrong).toEqual([]);
  },
);
