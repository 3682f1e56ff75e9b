import { judgePoll, type PollOutcome } from '../../../nodes/ApplicationDataService/trigger/poll/poll';

/** The verdicts on one poll after another. */
function judged(...polls: readonly ('fails' | 'warns' | 'gives' | 'works')[]): string[] {
  let failing = 0;
  return polls.map((kind) => {
    const judgement = judgePoll({
      state: { failing },
      emitted: kind === 'gives' ? [{}] : [],
      hasProgressed: kind !== 'fails',
      ...(kind !== 'works' && { failure: new Error('down') }),
    } as unknown as PollOutcome<unknown>);
    ({ failing } = judgement);
    return judgement.throws ? 'thrown' : 'returned';
  });
}

test.each([
  ['nothing was got done', ['fails'], ['thrown']],
  ['something was, three times in a row', ['warns', 'warns', 'warns'], ['returned', 'returned', 'returned']],
  ['and a fourth time', ['warns', 'warns', 'warns', 'warns'], ['returned', 'returned', 'returned', 'thrown']],
  [
    'the fourth has items, and the fifth has none',
    ['warns', 'warns', 'warns', 'gives', 'warns'],
    ['returned', 'returned', 'returned', 'returned', 'thrown'],
  ],
  [
    'one in between works',
    ['warns', 'warns', 'warns', 'works', 'warns'],
    ['returned', 'returned', 'returned', 'returned', 'returned'],
  ],
] as const)('the verdict on failing polls if %s', (_, polls, expected) => {
  expect(judged(...polls)).toEqual(expected);
});
