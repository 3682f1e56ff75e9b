/** One entry for each message in the first column of a page's tables. */
export interface Entry {
  readonly text: string;
  readonly line: number;
}

/** Headings of first columns that contain messages. */
const MESSAGE_COLUMNS = ['Message', 'Warning', 'Hint', 'Note'];

/**
 * Reads the messages of a page: the first column of each table with a heading such as "Message". Several messages in a
 * cell are separated by `<br>`. In a table of "Reason"s, each continues the bold words with a colon at the end that
 * stand before the table.
 */
export function messageEntries(markdown: string): Entry[] {
  const entries: Entry[] = [];
  let prefix = '';
  let start: string | null = null;
  markdown.split('\n').forEach((line, index) => {
    prefix = /\*\*([^*]+:)\*\*/.exec(line)?.[1] ?? prefix;
    const [, first = ''] = line.startsWith('|') ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [];
    if (first === '') start = null;
    else if (MESSAGE_COLUMNS.includes(first)) start = '';
    else if (first === 'Reason') start = `${prefix} `;
    else if (start !== null && !/^-+$/.test(first)) {
      const texts = first.split('<br>').map((text) => plain(`${start}${text.trim()}`));
      entries.push(...texts.map((text) => ({ text, line: index + 1 })));
    }
  });
  return entries;
}

/** The text without Markdown, and with `…` for inserted text. */
function plain(text: string): string {
  return text
    .replace(/(?<![\w\\])_[^_]+_(?!\w)/g, '…')
    .replace(/\\(.)/g, '$1')
    .replace(/…(?:…)+/g, '…');
}
