/**
 * CSV after RFC 4180: lines end with CRLF, a cell is quoted where it has to be. Values stand as they are, also those that
 * begin with `=`, `+`, `-` or `@`: a spreadsheet program may take them for formulas, but an apostrophe before them would
 * spoil phone numbers and negative numbers for whatever else reads the file.
 */

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of cells. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A value as one cell: several choices one a line, objects and lists of them as JSON, no value as an empty cell. */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return '';
  return value.some((item) => typeof item === 'object') ? JSON.stringify(value) : value.join('\n');
}
