import fc from 'fast-check';

import { Engine } from '../support/engine';
import { Sandbox, type CreatedApplication } from '../support/sandbox';
import { answerTo, check, CHECKED, type Answered } from './support/checked';
import { each, EQUALS, EQUALS_TYPES, one, EXPECTED_ANSWERS, type Expected } from './support/dialectAnswers';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

let sandbox: Sandbox;
let app: CreatedApplication;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
});
afterAll(async () => await sandbox.stop());

beforeEach(async () => {
  await sandbox.reset();
  app = await sandbox.createApplication(CHECKED);
});

/** Switches with another test, or which cannot be checked without harm. */
const ELSEWHERE = [
  'basicAuth',
  'headerName',
  'badKey',
  'keyParameter',
  'maxFormBytes',
  'maxFileBytes',
  'queueLength',
  'overloadMs',
  // The service sends these by itself.
  'notifications',
  'notificationMs',
  'externalUrl',
  // Only a write shows these: the tests of each operation try them.
  'insertKey',
  'unknownPart',
  'readonlyPart',
  'repeatedDelete',
  'severalFiles',
  'storedFiles',
  'omittedChild',
  'multiDelete',
  'deleteIds',
  // A part in error is one either way.
  'partErrors',
];

async function answersUnder(dialect: Readonly<Record<string, unknown>>): Promise<readonly Answered[]> {
  await sandbox.setDialect(dialect);
  const engine = new Engine({ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey });
  const { answers, error } = await check(engine, app.id);
  expect(error).toBeUndefined();
  await sandbox.resetDialect();
  expect(await sandbox.records(app.id)).toHaveLength(3);
  return answers;
}

/** The differences between the answers and the expected ones. */
function differing(answers: readonly Answered[], expected: readonly Expected[]): unknown[] {
  return expected.flatMap(([question, answer, verdict]) => {
    const actual = answerTo(answers, question);
    return answer.test(actual.answer) && actual.verdict === verdict
      ? []
      : [[question, answer, verdict, actual]];
  });
}

test('every switch of the sandbox is asked about, both ways', async () => {
  const switches = await sandbox.switches();
  const known = [...Object.keys(EXPECTED_ANSWERS), ...Object.keys(EQUALS), ...ELSEWHERE];
  expect(Object.keys(switches).sort()).toEqual(known.sort());
  for (const [name, { kind, values }] of Object.entries(switches)) {
    if (kind === 'choice' && name in EXPECTED_ANSWERS) {
      expect([name, Object.keys(EXPECTED_ANSWERS[name]!).sort()]).toEqual([
        name,
        Object.keys(values!).sort(),
      ]);
    }
  }
});

test('all switches at their most likely values', async () => {
  const answers = await answersUnder({});
  const switches = await sandbox.switches();
  const expected = Object.entries(EXPECTED_ANSWERS).flatMap(
    ([name, byValue]) => byValue[String(switches[name]!.fallback)] ?? [],
  );
  expect(differing(answers, expected)).toEqual([]);
  for (const type of EQUALS_TYPES) {
    expect(answerTo(answers, `Does = find what is there in a part of the type ${type}?`)).toMatchObject({
      verdict: 'ok',
    });
  }
  const problems = answers.filter(({ verdict }) => verdict === 'problem');
  expect(problems).toEqual([]);
});

/** The most likely value of each switch comes first. */
const SECOND_TO_LAST = [1, 2, 3, 4];

test.each(SECOND_TO_LAST)(
  'all switches that have one, at value number %d after the most likely one',
  async (index) => {
    const drawn = Object.entries(EXPECTED_ANSWERS).flatMap(([name, byValue]) =>
      Object.keys(byValue)
        .slice(index, index + 1)
        .map((value) => [name, value] as const),
    );
    const dialect = Object.fromEntries(drawn);
    const expected = drawn.flatMap(([name, value]) =>
      isMoot(name, dialect) ? [] : EXPECTED_ANSWERS[name]![value]!,
    );
    expect(differing(await answersUnder(dialect), expected)).toEqual([]);
  },
);

test.each(Object.entries(EQUALS))('%s, for all types', async (name, [answer, verdict]) => {
  const answers = await answersUnder({ [name]: '*' });
  const questions = [
    ...EQUALS_TYPES.map((type) => `Does = find what is there in a part of the type ${type}?`),
    'Does = find what is there in the ID part',
  ];
  expect(differing(answers, each(questions, answer, verdict))).toEqual([]);
});

test('a random dialect is found completely', async () => {
  const choices = Object.entries(EXPECTED_ANSWERS).map(([name, byValue]) =>
    // Reads that fail with 500 are retried, which takes time; the test of single values has them.
    fc
      .constantFrom(...Object.keys(byValue).filter((value) => value !== '500'))
      .map((value) => [name, value] as const),
  );
  const equals = fc.dictionary(fc.constantFrom(...EQUALS_TYPES), fc.constantFrom(...Object.keys(EQUALS)), {
    maxKeys: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.tuple(...choices), equals, async (drawn, types) => {
      const dialect = Object.fromEntries(drawn);
      const answers = await answersUnder({
        ...dialect,
        ...Object.fromEntries(
          Object.keys(EQUALS).map((name) => [
            name,
            Object.keys(types).filter((type) => types[type] === name),
          ]),
        ),
      });
      const expected = drawn.flatMap(([name, value]) =>
        isMoot(name, dialect) ? [] : EXPECTED_ANSWERS[name]![value]!,
      );
      const ofTypes = Object.entries(types).flatMap(([type, name]) =>
        one(`Does = find what is there in a part of the type ${type}?`, ...EQUALS[name]!),
      );
      expect(differing(answers, [...expected, ...ofTypes])).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

/** Whether a switch has no effect because of another one in the dialect: a 5xx is never a refusal. */
function isMoot(name: string, dialect: Readonly<Record<string, string>>): boolean {
  return dialect.failureStatus === '500' && name === 'refusals';
}
