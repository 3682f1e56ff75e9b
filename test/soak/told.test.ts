import type { EngineResult } from '../../test/support/engine';
import { Ledger } from '../../soak/ledger/ledger';
import { resultsOf, toldOf } from '../../soak/ledger/told';
import { line } from './support/evidence';

function result(given: Partial<EngineResult>): EngineResult {
  return { items: [], errorItems: [], json: [], error: undefined, hints: [], run: {} as never, ...given };
}

test('tells what became of each item with Continue On Fail', () => {
  const items = [
    { json: { id: '1', outcome: 'created' }, pairedItem: { item: 0 } },
    {
      json: { error: 'It is not known whether the service did it (outcome unknown): …' },
      pairedItem: { item: 1 },
    },
    { json: { error: 'The record 3 was written, but the file "a" was not added' }, pairedItem: { item: 2 } },
    { json: { error: 'The service refused: Not now' }, pairedItem: { item: 3 } },
  ];
  const told = resultsOf(result({ items }), 5).map(toldOf);
  expect(told).toEqual(['created', 'unknown', 'partly', 'refused', 'untold']);
});

test('tells of a run that ended early only what its error says', () => {
  const error = Object.assign(new Error('The service refused: Not now'), { context: { itemIndex: 1 } });
  expect(resultsOf(result({ error }), 3).map(toldOf)).toEqual(['untold', 'refused', 'untold']);
});

test('takes no output for granted that it does not know', () => {
  expect(() => toldOf({ json: { id: '1' } })).toThrow('no outcome');
  expect(() => resultsOf(result({ items: [{ json: {}, pairedItem: { item: 4 } }] }), 1)).toThrow('no item');
});

test('the ledger gives back what was added', () => {
  const ledger = new Ledger();
  const seen = { by: 'reader', id: '1', revision: 2, lanes: {} };
  ledger.add('lines', line({ token: 'a' }));
  ledger.add('seen', seen);
  ledger.add('lines', line({ token: 'b' }));
  const told = ledger.read();
  ledger.remove();
  expect(told.lines.map(({ token }) => token)).toEqual(['a', 'b']);
  expect(told).toMatchObject({ seen: [seen], seenFiles: [], deliveries: [], leaks: [] });
});
