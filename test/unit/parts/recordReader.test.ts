import fc from 'fast-check';

import { recordReader, simplifyRecord } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart } from './support/parts';

const parts = [
  makePart('id', { id: '1', name: 'ID', system: true, readOnly: true }),
  makePart('textbox', { id: '101', name: 'Code' }),
  makePart('number', { id: '102', name: 'Size' }),
  makePart('users', { id: '103', name: 'Owner' }),
  makePart('rel_list', { id: '104', name: 'Orders' }),
  makePart('textbox', { id: '105', name: '__proto__' }),
];

const value = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof(
    arbitrary.map((val) => ({ val })),
    fc.constantFrom({ val: '', error: 'unauthorized' }, { error: 'reference_error' }, {}, null, 'plain'),
  );

/** Records of one application that differ in their keys, errors and rights. */
const record = fc
  .record(
    {
      ID: value(fc.nat().map(String)),
      Code: value(fc.string()),
      Size: value(fc.constantFrom('12', '1,200.50', '-0', '0.10', '12345678901234567890', '1e3', 7)),
      Owner: value(
        fc.constantFrom(
          {
            users: {
              item: [
                { id: 7, Name: 'A' },
                { id: '8', Name: 'B', more: 1 },
              ],
            },
          },
          '',
        ),
      ),
      Orders: value(fc.constant({ child_records: { item: [{ data_id: '1' }] } })),
      Foreign: value(fc.string()),
      revision: fc.constantFrom({ val: '3', deny_write: 'on' }, { val: 4 }),
      permissions: fc.constantFrom({ allow_write: 'on' }, { allow_write: 'off', allow_delete: 'on' }, {}),
      ['proto']: value(fc.string()),
    },
    { requiredKeys: ['ID', 'Code', 'Size', 'revision', 'permissions'] },
  )
  .map(({ proto, ...rest }) =>
    proto === undefined
      ? rest
      : (JSON.parse(JSON.stringify({ ...rest, x: 0 }).replace('"x":0', '"__proto__":{"val":"p"}')) as object),
  );

test('a record reads the same, whatever records were read before it', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), fc.boolean(), (records, referenceListsLoaded) => {
      const options = { keyMode: 'name', referenceListsLoaded } as const;
      const read = recordReader(parts, options);
      for (const each of records) {
        const alone = simplifyRecord(each, parts, options);
        expect(JSON.stringify(read(each))).toBe(JSON.stringify(alone));
        // The same as by itself, because nothing is looked up again the second time.
        expect(JSON.stringify(read(each))).toBe(JSON.stringify(alone));
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['12', 12],
  ['-12.5', -12.5],
  ['0', 0],
  ['0.5', 0.5],
  ['999999999999999', 999999999999999],
  ['9007199254740993', '9007199254740993'],
  ['1.10', 1.1],
  ['-0', 0],
  ['007', 7],
  ['0.1234567890123456789', '0.1234567890123456789'],
])('the number %s is %j', (val, expected) => {
  expect(simplifyRecord({ Size: { val } }, parts, { keyMode: 'name' }).Size).toBe(expected);
});

test('records with the same keys, and other rights or errors', () => {
  const read = recordReader(parts, { keyMode: 'name' });
  const keysFor = (Code: object, permissions: object) =>
    Object.keys(read({ ID: { val: '1' }, Code, permissions })).join();
  expect(keysFor({ val: 'a' }, { allow_write: 'on' })).toBe('id,Code,revision,canWrite');
  expect(keysFor({ val: 'b' }, { allow_write: 'on', allow_delete: 'on' })).toBe(
    'id,Code,revision,canWrite,canDelete',
  );
  expect(keysFor({ error: 'unauthorized' }, { allow_write: 'on' })).toBe('id,partErrors,revision,canWrite');
});
