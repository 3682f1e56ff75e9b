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

test('long work ends with a summary, short work does not', () => {
  const hints = new Hints();
  hints.count('created', 9);
  expect(shown(hints)).toEqual([]);
  hints.count('unchanged');
  hints.count('conflicts', 0);
  expect(shown(hints)).toEqual(['9 created, 1 unchanged']);
});

test("an agent's tool in n8n 1.x has no place to show them", () => {
  const hints = new Hints();
  hints.add('Passed over: A');
  expect(() => hints.show({} as IExecuteFunctions)).not.toThrow();
});
