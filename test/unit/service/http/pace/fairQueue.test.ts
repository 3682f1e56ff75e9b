import { array, assert, boolean, integer, property, record } from 'fast-check';

import {
  type Caller,
  FairQueue,
} from '../../../../../nodes/ApplicationDataService/service/http/pace/limiter';

interface Waiter {
  readonly caller: Caller;
  readonly number: number;
}

const waiters = array(record({ turn: integer({ min: 0, max: 4 }), urgent: boolean() }), {
  maxLength: 30,
}).map((callers) => callers.map((caller, number): Waiter => ({ caller, number })));

function lineOf(all: readonly Waiter[]): FairQueue<Waiter> {
  const line = new FairQueue<Waiter>();
  for (const each of all) line.add(each);
  return line;
}

function emptied(line: FairQueue<Waiter>): Waiter[] {
  const order: Waiter[] = [];
  for (let next = line.take(() => true); next !== undefined; next = line.take(() => true)) order.push(next);
  return order;
}

describe('a waiting caller', () => {
  it('is called once, and those of one turn in their order', () => {
    assert(
      property(waiters, (all) => {
        const order = emptied(lineOf(all));
        expect(order.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
          all.map(({ number }) => number),
        );
        for (const urgent of [false, true])
          for (const turn of [0, 1, 2, 3, 4]) {
            const numbers = order
              .filter(({ caller }) => caller.turn === turn && caller.urgent === urgent)
              .map(({ number }) => number);
            expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          }
      }),
    );
  });

  it('waits for each other turn once between two calls of its own, however many wait there', () => {
    assert(
      property(waiters, (all) => {
        const usual = all.filter(({ caller }) => !caller.urgent);
        const order = emptied(lineOf(usual)).map(({ caller }) => caller.turn);
        const left = new Map<unknown, number>();
        for (const turn of order) left.set(turn, (left.get(turn) ?? 0) + 1);
        order.forEach((turn, index) => {
          const before = order.lastIndexOf(turn, index - 1);
          const between = order.slice(before + 1, index);
          expect(new Set(between).size).toBe(between.length);
        });
      }),
    );
  });

  it('is overtaken by urgent ones, but never by two in a row', () => {
    assert(
      property(waiters, (all) => {
        const order = emptied(lineOf(all));
        const usual = all.filter(({ caller }) => !caller.urgent).length;
        const urgent = all.length - usual;
        order.slice(0, 2 * Math.min(usual, urgent)).forEach(({ caller }, index) => {
          expect(caller.urgent).toBe(index % 2 === 0);
        });
      }),
    );
  });

  it('keeps its place if others are removed, or do not fit', () => {
    assert(
      property(waiters, array(integer({ min: 0, max: 29 })), (all, gone) => {
        const line = lineOf(all);
        for (const number of gone) if (all[number] !== undefined) line.remove(all[number]);
        const staying = all.filter(({ number }) => !gone.includes(number));
        expect(line.size).toBe(staying.length);
        const odd = line.take(({ number }) => number % 2 === 1);
        expect(odd === undefined).toBe(staying.every(({ number }) => number % 2 === 0));
        const rest = emptied(line);
        expect(rest.length).toBe(staying.length - (odd === undefined ? 0 : 1));
        expect(line.size).toBe(0);
      }),
    );
  });
});

it('that was refused goes before the others of its turn', () => {
  const caller = { turn: 1, urgent: false };
  const line = lineOf([
    { caller, number: 0 },
    { caller, number: 1 },
  ]);
  const refused = line.take(() => true)!;
  line.add(refused, true);
  expect(emptied(line).map(({ number }) => number)).toEqual([0, 1]);
});
