import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { Hints } from '../../../../nodes/ApplicationDataService/operations/run/hints';

function shown(hints: Hints): string[] {
  const all: NodeExecutionHint[] = [];
  hints.show({
    addExecutionHints: (...more: NodeExecutionHint[]) => void all.push(...more),
  } as IExecuteFunctions);
  return all.map(({ message }) => message);
}

test('a sentence is shown once, with the number of its items', () => {
  const hints = new Hints();
  hints.add('Passed over: A');
  hints.add('Passed over: A');
  hints.add('Passed over: B');
  expect(shown(hints)).toEqual(['Passed over: A (2 items)', 'Passed over: B']);
});

test("an agent's tool in n8n 1.x has no place to show them", () => {
  const hints = new Hints();
  hints.add('Passed over: A');
  expect(() => hints.show({} as IExecuteFunctions)).not.toThrow();
});

test('of a kind the first ten are shown, then how many more there are', () => {
  const hints = new Hints();
  for (let number = 1; number <= 12; number++) hints.add(`Changed: ${number}.txt`, 'changed files');
  hints.add('Changed: 11.txt', 'changed files');
  hints.once('Dry run');
  hints.once('Dry run');
  hints.tally('Rows not found', 2);
  hints.tally('Rows not found', 1);
  const texts = shown(hints);
  expect(texts.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, at) => `Changed: ${at + 1}.txt`));
  expect(texts.slice(10)).toEqual([
    'Not shown: 2 more hints like the last one',
    'Dry run',
    'Rows not found: 3',
  ]);
});
