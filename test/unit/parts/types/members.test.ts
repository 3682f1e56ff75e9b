import { makePart, readVal, refusalOf, TOKYO, writeText } from '../support/parts';

describe.each(['users', 'groups'])('%s', (type) => {
  const part = makePart(type, { id: '110', name: 'Staff' });

  it.each([
    [
      { [type]: { item: [{ id: 5, Name: 'Aoki', Mail: 'a@example.com' }] } },
      [{ id: '5', name: 'Aoki', Mail: 'a@example.com' }],
    ],
    [{ [type]: { item: { id: '5', Name: 'Aoki' } } }, [{ id: '5', name: 'Aoki' }]],
    [{ [type]: { item: [{ id: '5', Name: 'Aoki', name: 'other' }] } }, [{ id: '5', name: 'Aoki' }]],
    [{ [type]: { item: [{ id: '5', name: 'Aoki' }] } }, [{ id: '5', name: 'Aoki' }]],
    [{ [type]: { item: [] } }, []],
    [{ [type]: '' }, []],
    [{}, []],
    ['', []],
  ])('reads %j as %j', (val, value) => expect(readVal(part, val)).toEqual(value));

  it('keeps keys that would replace the prototype as keys', () => {
    const [member] = readVal(part, {
      [type]: { item: JSON.parse('[{"id":"5","__proto__":{"x":1}}]') as unknown },
    }) as object[];
    expect(Object.getPrototypeOf(member)).toBe(Object.prototype);
    expect(Object.keys(member ?? {})).toEqual(['id', 'name', '__proto__']);
  });

  it.each([
    [['5', '7'], '5\t7'],
    [[5, 7], '5\t7'],
    [[{ id: '5', name: 'Aoki' }, '7'], '5\t7'],
    ['5, 7', '5\t7'],
    ['5\n7', '5\t7'],
    ['5\t7', '5\t7'],
    ['["5", "7"]', '5\t7'],
    [0, '0'],
    ['[{"id": "5"}]', '5'],
    ['{"id": "5"}', '5'],
    [{ id: '5' }, '5'],
    [5, '5'],
    [['5', '5', null, ''], '5'],
    [[], ''],
    ['', ''],
    [null, ''],
  ])('writes %j as %j', (value, text) => expect(writeText(part, value)).toBe(text));

  it.each([true, 1.5, -1, {}, { name: ' ' }, [['5']], [{ id: null }], ['5\t7'], 2 ** 60])(
    'refuses %j',
    (value) => {
      const refusal = refusalOf(() => writeText(part, value));
      expect(refusal.message).toMatch(/^Part "Staff" \(ID 110\) does not accept .+: it contains no ID$/);
    },
  );
});

const people = {
  idsOf: (_: string, text: string) =>
    ({ 'Doe, John': ['1'], Doe: ['2'], John: ['3'], Ann: ['4', '5'] })[text] ?? [],
  texts: () => ['Doe, John', 'Doe', 'John', 'Ann'],
  chosen: () => undefined,
};

describe('people by name', () => {
  const part = makePart('users', { id: '110', name: 'Staff' });
  const byName = { ...TOKYO, people };

  it.each([
    ['Doe, John', '1'],
    ['John, Doe', '3\t2'],
    ['Doe, John\nJohn', '1\t3'],
    [[' John ', '7'], '3\t7'],
    [{ name: 'John' }, '3'],
    ['[{"name": "Doe, John"}, {"id": "7", "name": "John"}]', '1\t7'],
  ])('%j: each line is a name with commas first, else its pieces are', (value, text) =>
    expect(writeText(part, value, byName)).toBe(text),
  );

  it.each([
    ['Ann', 'several have this name or email, with the IDs 4, 5', byName],
    ['Jon', 'no user in the records has this name or email', byName],
    ['John', 'it is not the ID of a user', TOKYO],
    [{ name: '7' }, 'no user in the records has this name or email', byName],
    [{ name: 'John' }, 'it is not the ID of a user', TOKYO],
    // A read gives an ID that lost digits as an empty one.
    [{ id: '', name: 'John' }, 'it contains no ID', byName],
  ])('%s is refused: %s', (value, reason, context) =>
    expect(refusalOf(() => writeText(part, value, context)).message).toContain(reason),
  );
});

it('a user part is read like users and never written', () => {
  const part = makePart('user');
  expect(readVal(part, { users: { item: { id: '1', Name: 'Admin' } } })).toEqual([
    { id: '1', name: 'Admin' },
  ]);
  expect(part.codec.write).toBeUndefined();
});
