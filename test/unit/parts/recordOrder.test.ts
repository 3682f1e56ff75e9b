import { simplifyRecord } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart } from './support/parts';

const own = makePart('id', { id: '1', name: 'ID', system: true });
const name = makePart('textbox', { name: 'Name' });
const sum = makePart('expression', { name: 'Sum' });

it("has the service's own parts after the application's, and unknown keys at the end", () => {
  const created = makePart('datetime', { name: 'Created At', system: true });
  const source = makePart('datetime', { name: 'Ordered At', system: true, reference: true });
  const keyed = {
    'Created At': { val: '' },
    'Ordered At': { val: '' },
    Name: { val: 'Acme' },
    Sum: { error: 'unauthorized' },
    New: { val: 'x' },
    revision: { val: '3' },
  };
  const record = simplifyRecord(keyed, [own, created, name, source, sum], { id: '12' });
  expect(Object.keys(record)).toEqual([
    'id',
    'Name',
    'Ordered At',
    'Created At',
    'partErrors',
    'revision',
    'New',
  ]);
});
