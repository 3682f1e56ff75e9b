import { makePart, readVal, refusalOf, writeText, suggestionIn } from '../support/parts';

const options = ['red', 'green', 'blue', '[1]', '未対応'];

describe.each(['radio', 'select'])('%s', (type) => {
  const part = makePart(type, { id: '107', name: 'Color', options });
  const open = makePart(type, { options, allowOther: true });

  it.each([
    ['red', 'red'],
    ['no longer an option', 'no longer an option'],
    [1, '1'],
    ['', null],
  ])('reads %j as %j', (val, value) => expect(readVal(part, val)).toBe(value));

  it.each([
    ['red', 'red'],
    ['[1]', '[1]'],
    ['', ''],
    [null, ''],
  ])('writes %j as %j', (value, text) => expect(writeText(part, value)).toBe(text));

  it('accepts numbers and booleans that are options', () => {
    const flags = makePart(type, { options: ['1', 'true'] });
    expect(writeText(flags, 1)).toBe('1');
    expect(writeText(flags, true)).toBe('true');
  });

  it('refuses a text that is no option, with the most similar one', () => {
    const refusal = refusalOf(() => writeText(part, 'gren'));
    expect(refusal.message).toBe(
      'Part "Color" (ID 107) does not accept "gren": it is not one of the options',
    );
    expect(refusal.description).toBe('Did you mean "green"? Accepted: red, green, blue, [1], 未対応.');
    expect(suggestionIn(refusal)).toBe('green');
    expect(refusal.message).toContain('does not accept "gren"');
    expect(suggestionIn(refusalOf(() => writeText(part, 'Red')))).toBe('red');
    expect(suggestionIn(refusalOf(() => writeText(part, 'purple')))).toBeNull();
  });

  it('refuses lists and tabs, even if other values may be entered', () => {
    for (const to of [part, open]) {
      for (const value of [['red'], {}, 'red\tgreen']) refusalOf(() => writeText(to, value));
    }
    expect(refusalOf(() => writeText(open, 'a\tb')).message).toContain('cannot contain a tab');
  });

  it('accepts other values if they may be entered, or if the service names no options', () => {
    expect(writeText(open, 'purple')).toBe('purple');
    expect(writeText(makePart(type), 'purple')).toBe('purple');
  });
});

describe.each(['checkbox', 'listbox'])('%s', (type) => {
  const part = makePart(type, { id: '108', name: 'Colors', options });
  const open = makePart(type, { options, allowOther: true });

  it.each([
    ['red\tblue', ['red', 'blue']],
    ['red', ['red']],
    ['\tred\t', ['red']],
    [1, ['1']],
    [['red'], ['red']],
    ['', []],
  ])('reads %j as %j', (val, value) => expect(readVal(part, val)).toEqual(value));

  it.each([
    [['red', 'blue'], 'red\tblue'],
    ['["red","blue"]', 'red\tblue'],
    [' ["red"] ', 'red'],
    ['red\nblue', 'red\tblue'],
    ['red \r\n blue\n', 'red\tblue'],
    ['red\tblue', 'red\tblue'],
    ['red', 'red'],
    ['[1]', '[1]'],
    [['red', 'red'], 'red'],
    [['red', null, ''], 'red'],
    [[], ''],
    ['[]', ''],
    ['', ''],
    [null, ''],
  ])('writes %j as %j', (value, text) => expect(writeText(part, value)).toBe(text));

  it('accepts numbers and booleans that are options', () => {
    const flags = makePart(type, { options: ['1', 'true'] });
    expect(writeText(flags, [1, true])).toBe('1\ttrue');
    expect(writeText(flags, 1)).toBe('1');
    expect(writeText(flags, '[1, true]')).toBe('1\ttrue');
  });

  it('refuses the choice that is no option, with the most similar one', () => {
    const refusal = refusalOf(() => writeText(part, ['red', 'gren']));
    expect(refusal.message).toBe(
      'Part "Colors" (ID 108) does not accept "gren": it is not one of the options',
    );
    expect(suggestionIn(refusal)).toBe('green');
  });

  it.each([
    ['red, blue', 'red\tblue'],
    ['red;blue', 'red\tblue'],
    ['red、blue', 'red\tblue'],
    ['red, red,', 'red'],
    ['red, blue\ngreen', 'red\tblue\tgreen'],
  ])('reads %j as options between commas', (value, text) => expect(writeText(part, value)).toBe(text));

  it.each([[['red, blue']], ['["red, blue"]']])('reads the items of the list %j unchanged', (value) => {
    expect(refusalOf(() => writeText(part, value)).message).toContain('"red, blue"');
  });

  it('reads an option with a comma as one option, and refuses commas between other texts', () => {
    const rooms = makePart(type, { options: ['North', 'South', 'North, South'] });
    expect(writeText(rooms, 'North, South')).toBe('North, South');
    expect(writeText(rooms, ['South', 'North, South'])).toBe('South\tNorth, South');
    for (const value of ['South, North, South', 'South, North', ['South, North']])
      expect(refusalOf(() => writeText(rooms, value)).message).toContain('it is not one of the options');
    expect(refusalOf(() => writeText(part, ['red, blue'])).message).toContain('"red, blue"');
    expect(refusalOf(() => writeText(part, ',')).message).toContain('","');
  });

  it.each([
    ['red, gren', '"gren": it is not one of the options', 'Did you mean "green"? '],
    ['red, black', '"black": it is not one of the options', ''],
    ['rde;blue;gren', '"rde", "gren": they are not among the options', 'Did you mean "red", "green"? '],
    [['rde', 'gren'], '"rde", "gren": they are not among the options', 'Did you mean "red", "green"? '],
    ['pink\ngren\npink', '"pink", "gren": they are not among the options', 'Did you mean "green"? '],
  ])('refuses only the texts in %j that are no options', (value, reason, guess) => {
    const refusal = refusalOf(() => writeText(part, value));
    expect(refusal.message).toBe(`Part "Colors" (ID 108) does not accept ${reason}`);
    expect(refusal.description).toBe(`${guess}Accepted: red, green, blue, [1], 未対応.`);
  });

  it('does not split at commas if other values may be entered', () => {
    expect(writeText(open, 'red, blue')).toBe('red, blue');
  });

  it('refuses tabs in a choice, and values that are no texts', () => {
    expect(refusalOf(() => writeText(open, ['a\tb'])).message).toContain('cannot contain a tab');
    for (const value of [[['red']], [{}], {}, NaN]) refusalOf(() => writeText(open, value));
  });

  it('accepts other values if they may be entered', () => {
    expect(writeText(open, ['red', 'two\nlines'])).toBe('red\ttwo\nlines');
    expect(writeText(open, 'purple\nred')).toBe('purple\tred');
  });

  it('shortens a long list of options', () => {
    const many = makePart(type, { options: Array.from({ length: 200 }, (_, index) => `option ${index}`) });
    expect(refusalOf(() => writeText(many, 'x')).description).toContain('(190 more)');
  });
});
