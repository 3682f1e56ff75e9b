import { makePart, readVal, refusalOf, writeText } from '../support/parts';

describe.each(['textbox', 'textarea', 'richeditor'])('%s', (type) => {
  const part = makePart(type, { id: '101', name: 'Note' });

  it.each([
    ['Acme', 'Acme'],
    [' two\r\nlines\t😀 ', ' two\r\nlines\t😀 '],
    [12, '12'],
    [true, 'true'],
    ['', null],
    [{ strange: 1 }, { strange: 1 }],
  ])('reads %j as %j', (val, value) => expect(readVal(part, val)).toEqual(value));

  it.each([
    ['Acme', 'Acme'],
    [' two\r\nlines\t😀 ', ' two\r\nlines\t😀 '],
    ['[1]', '[1]'],
    [0, '0'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [false, 'false'],
    [10n, '10'],
    [null, ''],
    ['', ''],
    [undefined, ''],
  ])('writes %p as %j', (value, text) => expect(writeText(part, value)).toBe(text));

  it.each([[['a']], [{ a: 1 }], [NaN], [Infinity], [new Date(0)], [() => 'x'], [Symbol('s')]])(
    'refuses %p',
    (value) => {
      const refusal = refusalOf(() => writeText(part, value));
      expect(refusal.message).toMatch(/^Part "Note" \(ID 101\) does not accept .+: it is not a text$/);
      expect(refusal.description).toContain('Accepted: a text, a number, or true or false.');
    },
  );
});
