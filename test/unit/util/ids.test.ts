import fc from 'fast-check';

import { IdSet } from '../../../nodes/ApplicationDataService/util/ids';

const id = fc.oneof(
  fc.nat(5000).map(String),
  fc.maxSafeNat().map(String),
  fc.constantFrom('', '007', '1e3', '-1', '1.0', ' 1', '9'.repeat(20), 'A-12'),
  fc.string(),
);

it('contains the same as a set of texts', () => {
  fc.assert(
    fc.property(fc.array(id), fc.array(id), (added, asked) => {
      const ids = new IdSet();
      const model = new Set<string>();
      for (const each of added) {
        expect(ids.add(each)).toBe(!model.has(each));
        model.add(each);
      }
      for (const each of [...added, ...asked]) expect(ids.has(each)).toBe(model.has(each));
    }),
  );
});

it('stores a million consecutive ids in little memory', () => {
  const ids = new IdSet();
  const before = process.memoryUsage();
  for (let number = 1; number <= 1_000_000; number++) ids.add(String(number));
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(2_000_000);
  expect([ids.has('1'), ids.has('1000000'), ids.has('1000001')]).toEqual([true, true, false]);
});
