import { expectTruth, judge, SCENARIOS, tallyOf } from './support/histories';

// Every history within these bounds is run against the code; test/long/histories.test.ts has wider ones.
test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
  '%s: what is told is true, whatever fails and whoever else writes',
  async (_, scenario) => {
    expectTruth(scenario, await tallyOf(scenario, { rivals: 1, faults: 1, tries: 2 }));
    for (const tries of [1, 2]) {
      const { wrong } = await tallyOf(scenario, { rivals: 0, faults: 2, tries });
      expect(wrong).toEqual([]);
    }
  },
);

describe.each(['touch', 'addOther', 'addOtherFile'] as const)(
  'a service that does "%s" after each write',
  (processing) => {
    test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
      '%s: done once',
      async (_, scenario) => {
        const bounds = { tries: 2, processing };
        expect(await judge(scenario, [], bounds)).toMatchObject({ told: 'done', wrong: null });
        const { wrong } = await tallyOf(scenario, { ...bounds, rivals: 0, faults: 1 });
        expect(wrong).toEqual([]);
      },
    );
  },
);
