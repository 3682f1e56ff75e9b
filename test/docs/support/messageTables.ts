/** What a page says of messages: one entry for each message in the first column of its tables. */
export interface Entry {
  readonly text: string;
  readonly line: number;
}

/** Headings of first columns that hold messages. */
const MESSAGE_COLUMNS = ['Message', 'Warning', 'Hint', 'Note'];

/**
 * Reads the messages out of a page: the first column of each table that is headed "Message" or the like, several in a
 * cell with `<br>` between. A table of "Reason"s goes on from the words in bold that end with a colon before it.
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

/** The words as they are shown: without marks of Markdown, and `…` for what is inserted. */
function plain(text: string): string {
  return text
    .replace(/(?<![\w\\])_[^_]+_(?!\w)/g, '…')
    .replace(/\\(.)/g, '$1')
    .replace(/…(?:…)+/g, '…');
}
