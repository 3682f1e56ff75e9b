import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { Hints } from '../../../../nodes/ApplicationDataService/operations/run/hints';

function shown(hints: Hints): string[] {
  const all: NodeExecutionHint[] = [];
  hints.show({
    addExecutionHints: (...more: NodeExecutionHint[]) => void all.push(...more),
  } as IExecuteFunctions);
  return all.map(({ message }) => message);
}

test('a sentence comes once, with the number of items it was said for', () => {
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

test("an agent's tool in n8n 1.x has nowhere to show them", () => {
  const hints = new Hints();
  hints.add('Passed over: A');
  expect(() => hints.show({} as IExecuteFunctions)).not.toThrow();
});
