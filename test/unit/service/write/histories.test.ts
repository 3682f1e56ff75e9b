import { expectTruth, judge, SCENARIOS, tallyOf } from './support/histories';

const ALL = SCENARIOS.map((scenario) => [scenario.title, scenario] as const);

// Every history within these bounds is run against the code; test/long/histories.test.ts has wider ones.
test.each(ALL)('%s: what is told is true, whatever fails and whoever else writes', async (_, scenario) => {
  expectTruth(scenario, await tallyOf(scenario, { rivals: 1, faults: 1, tries: 2 }));
  for (const tries of [1, 2]) {
    const { wrong } = await tallyOf(scenario, { rivals: 0, faults: 2, tries });
    expect(wrong).toEqual([]);
  }
});

describe.each(['touch', 'addOther', 'addOtherFile'] as const)(
  'a service that does "%s" after each write',
  (processing) => {
    test.each(ALL)('%s: done once', async (_, scenario) => {
      const bounds = { tries: 2, processing };
      expect(await judge(scenario, [], bounds)).toMatchObject({ told: 'done', wrong: null });
      const { wrong } = await tallyOf(scenario, { ...bounds, rivals: 0, faults: 1 });
      expect(wrong).toEqual([]);
    });
  },
);

describe('a service that stores other texts than it is sent', () => {
  test.each(ALL)('%s: done once, or in doubt', async (_, scenario) => {
    const bounds = { tries: 2, trims: true };
    expect(await judge(scenario, [], bounds)).toMatchObject({ told: 'done', wrong: null });
    for (const rivals of [0, 1]) {
      const { wrong } = await tallyOf(scenario, { ...bounds, rivals, faults: 1 });
      expect(wrong).toEqual([]);
    }
  });

  test.each(ALL)('%s: not twice if every answer is lost', async (title, scenario) => {
    const faults = Array.from({ length: 60 }, (_, at) => ({ at, what: 'lostAfterWrite' as const }));
    const { told, wrong } = await judge(scenario, faults, { tries: 2, trims: true });
    // What a service keeps of a file's name and size is as it was sent; a removal leaves nothing to compare.
    const isTold = /upload(?!.*text)|Delete|removed/.test(title) && !title.startsWith('a text');
    expect([told, wrong]).toEqual([isTold ? 'done' : 'unknown', null]);
  });
});
