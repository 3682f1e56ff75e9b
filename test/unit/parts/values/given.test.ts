import {
  givenJson,
  isOmitted,
  jsonOrValue,
} from '../../../../nodes/ApplicationDataService/parts/values/given';

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
])('givenJson: %s', (text, value) => expect(givenJson(text)).toEqual(value));

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

test.each(
  [
    ...[
      undefined,
      null,
      '',
      '  ',
      'null',
      ' undefined ',
      [],
      '[]',
      [''],
      [null, 'null'],
      [{}],
      '[{}]',
      [{ id: '' }],
    ],
    ...[[{ id: 'null', Item: [], Qty: ' ' }], '[{"id":null,"Item":""},{}]'],
  ].map((value) => [value]),
)('a model that says %j has left the field empty', (value) => {
  expect(isOmitted(value)).toBe(true);
});

test.each([['x'], [0], [false], [['x']], ['[0]'], [[{ id: '1' }, {}]], ['[draft'], [{}]])(
  'a model that says %j has filled it in',
  (value) => expect(isOmitted(value)).toBe(false),
);
