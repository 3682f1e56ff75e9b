import type { EngineResult } from '../support/engine';
import { Ledger } from './ledger/ledger';
import { resultsOf, outcomeOf } from './ledger/outcome';
import { line } from './support/evidence';

function result(given: Partial<EngineResult>): EngineResult {
  return { items: [], errorItems: [], json: [], error: undefined, hints: [], run: {} as never, ...given };
}

test('returns the outcome of each item with Continue On Fail', () => {
  const items = [
    { json: { id: '1', outcome: 'created' }, pairedItem: { item: 0 } },
    {
      json: { error: 'It is not known whether the service did it (outcome unknown): …' },
      pairedItem: { item: 1 },
    },
    { json: { error: 'The record 3 was written, but the file "a" was not added' }, pairedItem: { item: 2 } },
    { json: { error: 'The service refused: Not now' }, pairedItem: { item: 3 } },
    {
      json: { error: 'An earlier try wrote this item (updated), but a further try failed: A web page' },
      pairedItem: { item: 4 },
    },
  ];
  const outcomes = resultsOf(result({ items }), 6).map(outcomeOf);
  expect(outcomes).toEqual(['created', 'unknown', 'partly', 'refused', 'updated', 'notReported']);
});

test('returns only the error of a run that ended early', () => {
  const error = Object.assign(new Error('The service refused: Not now'), { context: { itemIndex: 1 } });
  expect(resultsOf(result({ error }), 3).map(outcomeOf)).toEqual(['notReported', 'refused', 'notReported']);
});

test('throws on an output that it does not know', () => {
  expect(() => outcomeOf({ json: { id: '1' } })).toThrow('no outcome');
  expect(() => resultsOf(result({ items: [{ json: {}, pairedItem: { item: 4 } }] }), 1)).toThrow('no item');
});

test('the ledger returns what was added', () => {
  const ledger = new Ledger();
  const seen = { by: 'reader', id: '1', revision: 2, lanes: {} };
  ledger.add('lines', line({ token: 'a' }));
  ledger.add('seen', seen);
  ledger.add('lines', line({ token: 'b' }));
  const contents = ledger.read();
  ledger.remove();
  expect(contents.lines.map(({ token }) => token)).toEqual(['a', 'b']);
  expect(contents).toMatchObject({ seen: [seen], seenFiles: [], deliveries: [], leaks: [] });
});
