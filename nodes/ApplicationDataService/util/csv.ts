/**
 * CSV after RFC 4180: lines end with CRLF, a cell is quoted if it has to be. Values stand as they are, also those that
 * begin with `=`, `+`, `-` or `@`: a spreadsheet program may read them as formulas, but an apostrophe before them would
 * spoil phone numbers and negative numbers for other programs.
 */

const SPECIAL = /[",\r\n]/;

/** Characters up to the space. Programs that read CSV strip them from the ends of a cell without quotes. */
const SPACE = 32;

/** One line of cells. A million of them make a file, so they are joined without lists in between. */
export function csvLine(cells: Iterable<unknown>): string {
  let line = '';
  let separator = '';
  for (const cell of cells) {
    line += separator + csvCell(cell);
    separator = ',';
  }
  return `${line}\r\n`;
}

/** A value as one cell: several choices one a line, objects and lists of them as JSON, no value as an empty cell. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number') return String(value);
  const text = cellText(value);
  return needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function needsQuotes(text: string): boolean {
  return text.charCodeAt(0) <= SPACE || text.charCodeAt(text.length - 1) <= SPACE || SPECIAL.test(text);
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return '';
  return value.some((item) => typeof item === 'object') ? JSON.stringify(value) : value.join('\n');
}
