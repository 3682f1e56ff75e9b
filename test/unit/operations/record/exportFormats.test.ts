import fc from 'fast-check';

import {
  csvCell,
  csvFormat,
  exportFileName,
  ndjsonFormat,
} from '../../../../nodes/ApplicationDataService/operations/record/export.operation';
import { makePart } from '../../parts/support/parts';

/** One line of a file with these cells, after an ID and a revision. */
function lineOf(cells: readonly string[]): string {
  const parts = cells.map((_, index) => makePart('textbox', { id: `${index}`, name: `Part ${index}` }));
  const values = cells.map((cell, index) => [`Part ${index}`, cell] as const);
  const format = csvFormat(parts, 'name', { bom: false, readable: true });
  return format.line({ id: '1', revision: 2, ...Object.fromEntries(values) });
}

/** Reads one record of RFC 4180 text, to compare it with what was written. */
function parseLine(text: string): string[] {
  const cells: string[] = [];
  let rest = text;
  for (;;) {
    const [whole = '', quoted, plain = '', end = ''] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = rest.slice(whole.length);
    if (end !== ',') {
      expect(rest).toBe('');
      return cells;
    }
  }
}

describe('CSV', () => {
  it.each<[unknown, string]>([
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' spaces ', '" spaces "'],
    [12.5, '12.5'],
    [-3, '-3'],
    [0.0000001, '0.0000001'],
    [-1.5e-9, '-0.0000000015'],
    [true, 'true'],
    [[], ''],
    [['red'], 'red'],
    [['red', 'blue'], '"red\nblue"'],
    [[{ id: '1' }], '"[{""id"":""1""}]"'],
    [{ a: 1 }, '"{""a"":1}"'],
    ['=1+2', '=1+2'],
    ['+81 3 1234', '+81 3 1234'],
  ])('writes %j as %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('can be read back, whatever the cells contain', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
        expect(parseLine(lineOf(cells))).toEqual(['1', '2', ...cells]);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('"', ',', '\r', '\n', ' ', 'a', '=', '\t'), { maxLength: 8 }),
        (letters) => {
          expect(parseLine(lineOf([letters.join('')]))).toEqual(['1', '2', letters.join('')]);
        },
      ),
    );
  });
});

test.each([
  ['Orders', 'Orders.ndjson'],
  ['a/b:c', 'a_b_c.ndjson'],
  ['inv\u202ecod.exe', 'invcod.exe.ndjson'],
  ['  ', 'export.ndjson'],
])('%j is written to a file with a safe name', (name, expected) => {
  expect(exportFileName(name, ndjsonFormat)).toBe(expected);
});

test('a long name is cut, in whole characters', () => {
  expect(exportFileName('😀'.repeat(100), ndjsonFormat)).toBe(`${'😀'.repeat(60)}.ndjson`);
});
