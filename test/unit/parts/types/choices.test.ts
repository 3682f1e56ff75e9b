import { makePart, readVal, refusalOf, writeText } from '../support/parts';

const options = ['red', 'green', 'blue', '[1]', '未対応'];
const OFFERED = 'Accepted: red, green, blue, [1], 未対応.';
const rooms = ['North', 'South', 'North, South'];
const spaced = ['A', ' A', 'red', '[1]'];
const numbers = ['1', 'true'];
const one = 'it is not one of the options';
const several = 'they are not among the options';
const tab = 'an option cannot contain a tab';

type Of = readonly string[] | null;

/** A part with these options; with `null` others may be entered, too. */
function partWith(type: string, given: Of = options) {
  const allowed = { options: given ?? options, allowOther: given === null };
  return makePart(type, { id: '107', name: 'Color', ...allowed });
}

const written = (rows: readonly (readonly [unknown, string, Of?])[]) =>
  rows.map(([value, text, of = options]) => [value, text, of] as const);

const refused = (rows: readonly (readonly [unknown, string, string, Of?])[]) =>
  rows.map(([value, message, advice, of = options]) => [value, message, advice, of] as const);

describe.each(['radio', 'select'])('%s', (type) => {
  test.each([
    ['red', 'red'],
    ['no longer an option', 'no longer an option'],
    [1, '1'],
    ['', null],
  ])('reads %j as %j', (val, value) => expect(readVal(partWith(type), val)).toBe(value));

  test.each(
    written([
      ['red', 'red'],
      ['[1]', '[1]'],
      ['', ''],
      [null, ''],
      [1, '1', numbers],
      [true, 'true', numbers],
      ['purple', 'purple', null],
      ['purple', 'purple', []],
      // Trimmed to meet an option, and for nothing else.
      ['red ', 'red'],
      ['\tred\n', 'red'],
      [' A', ' A', spaced],
      ['A ', 'A', spaced],
      ['purple ', 'purple ', null],
    ]),
  )('writes %j as %j, of %j', (value, text, of) => expect(writeText(partWith(type, of), value)).toBe(text));

  test.each(
    refused([
      ['gren', `"gren": ${one}`, `Did you mean "green"? ${OFFERED}`],
      ['purple ', one, OFFERED],
      ['Red', one, `Did you mean "red"? ${OFFERED}`],
      ['purple', one, OFFERED],
      [['red'], 'it is not a text', OFFERED],
      [{}, 'it is not a text', 'or another text', null],
      ['red\tgreen', tab, OFFERED],
      ['a\tb', tab, 'or another text', null],
    ]),
  )('refuses %j: %s', (value, message, advice, of) => {
    const refusal = refusalOf(() => writeText(partWith(type, of), value));
    expect(refusal.message).toMatch(/^Part "Color" \(ID 107\) does not accept /);
    expect(refusal.message).toContain(message);
    expect(refusal.description).toContain(advice);
  });
});

describe.each(['checkbox', 'listbox'])('%s', (type) => {
  test.each([
    ['red\tblue', ['red', 'blue']],
    ['red', ['red']],
    ['\tred\t', ['red']],
    [1, ['1']],
    [['red'], ['red']],
    ['', []],
  ])('reads %j as %j', (val, value) => expect(readVal(partWith(type), val)).toEqual(value));

  test.each(
    written([
      [['red', 'blue'], 'red\tblue'],
      ['["red","blue"]', 'red\tblue'],
      [' ["red"] ', 'red'],
      ['red \r\n blue\n', 'red\tblue'],
      ['red\tblue', 'red\tblue'],
      ['[1]', '[1]'],
      [['red', 'red', null, ''], 'red'],
      [[], ''],
      ['[]', ''],
      ['', ''],
      [null, ''],
      ['red, blue\ngreen', 'red\tblue\tgreen'],
      ['red;blue、green,', 'red\tblue\tgreen'],
      [[1, true], '1\ttrue', numbers],
      ['[1, true]', '1\ttrue', numbers],
      // The exact option comes first.
      [' A', ' A', spaced],
      ['red\n A', 'red\t A', spaced],
      [' red ', 'red', spaced],
      ['North, South', 'North, South', rooms],
      [['South', 'North, South'], 'South\tNorth, South', rooms],
      [['red ', ' A'], 'red\t A', spaced],
      // Where others may be entered, a comma may belong to one.
      ['red, blue', 'red, blue', null],
      [['red', 'two\nlines'], 'red\ttwo\nlines', null],
      ['purple\nred', 'purple\tred', null],
    ]),
  )('writes %j as %j, of %j', (value, text, of) => expect(writeText(partWith(type, of), value)).toBe(text));

  test.each(
    refused([
      [['red', 'gren'], `"gren": ${one}`, `Did you mean "green"? ${OFFERED}`],
      ['red, gren', `"gren": ${one}`, `Did you mean "green"? ${OFFERED}`],
      ['red, black', `"black": ${one}`, OFFERED],
      ['rde;blue;gren', `"rde", "gren": ${several}`, `Did you mean "red", "green"? ${OFFERED}`],
      ['pink\ngren\npink', `"pink", "gren": ${several}`, `Did you mean "green"? ${OFFERED}`],
      ['red, A', one, 'Accepted', spaced],
      [',', `",": ${one}`, OFFERED],
      ['South, North', `"South, North": ${one}`, 'Accepted', rooms],
      [['South, North'], `"South, North": ${one}`, 'Accepted', rooms],
      [['a\tb'], tab, 'or another text', null],
      [[['red']], 'it is not a text', 'or another text', null],
      [{}, 'it is not a text', 'or another text', null],
      ['x', one, '(190 more)', Array.from({ length: 200 }, (_, index) => `option ${index}`)],
    ]),
  )('refuses %j: %s', (value, message, advice, of) => {
    const refusal = refusalOf(() => writeText(partWith(type, of), value));
    expect(refusal.message).toMatch(/^Part "Color" \(ID 107\) does not accept /);
    expect(refusal.message).toContain(message);
    expect(refusal.description).toContain(advice);
  });
});
