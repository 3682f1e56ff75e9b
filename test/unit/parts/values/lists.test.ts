import * as fc from 'fast-check';

import { givenJson, jsonOrValue } from '../../../../nodes/ApplicationDataService/parts/values/lists';

describe('givenJson', () => {
  it.each([
    ['[{"Item":123456789012345678}]', [{ Item: '123456789012345678' }]],
    [
      '{"a":-123456789012345678, "b":[0.12345678901234567890]}',
      { a: '-123456789012345678', b: ['0.12345678901234567890'] },
    ],
    [
      '[1e400, 1E+30, 12.50, 9007199254740991, 9007199254740992]',
      ['1e400', '1E+30', 12.5, 9007199254740991, '9007199254740992'],
    ],
    [
      '{"12345678901234567890":"12345678901234567890 \\"12345678901234567890\\\\", "b":[1]}',
      { '12345678901234567890': '12345678901234567890 "12345678901234567890\\', b: [1] },
    ],
    ['123456789012345678', '123456789012345678'],
    ['[123456789012345678', undefined],
    ['', undefined],
  ])('%s', (text, value) => expect(givenJson(text)).toEqual(value));

  it('keeps the digits of any whole number anywhere', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n }), fc.string(), (big, key) => {
        expect(givenJson(`{${JSON.stringify(`a${key}`)}: [${big}, "${big}"]}`)).toEqual({
          [`a${key}`]: [String(big), String(big)],
        });
      }),
    );
  });
});

it.each([
  ['{"id":"13"}', { id: '13' }],
  [' ["12"]', ['12']],
  ['[draft', '[draft'],
  ['12', '12'],
  [12, 12],
  [null, null],
])('a list or an object in JSON text, else the value: %j', (given, value) =>
  expect(jsonOrValue(given)).toEqual(value),
);
