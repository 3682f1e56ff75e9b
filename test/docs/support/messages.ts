/** An entry of the page of messages: a message as it stands on the screen, and the name of its place in links. */
export interface Entry {
  readonly text: string;
  readonly anchor: string;
  readonly line: number;
}

/** An entry: its anchor, and its messages in bold, with "or" between several. */
const ENTRY = /^- <a id="([\w-]+)"><\/a>(\*\*.+?\*\*(?: or \*\*.+?\*\*)*)(?= [–→] |$)/;

/**
 * Reads the messages of a page. Bold words with a colon at the end, before entries, stand in front of each of these up
 * to the next heading.
 */
export function messageEntries(markdown: string): Entry[] {
  let prefix = '';
  return markdown.split('\n').flatMap((line, index) => {
    if (line.startsWith('#')) prefix = '';
    const [, anchor = '', messages = ''] = ENTRY.exec(line) ?? [];
    if (anchor === '' && !line.startsWith('-')) prefix = /\*\*([^*]+:)\*\*/.exec(line)?.[1] ?? prefix;
    const texts = [...messages.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = '']) => text);
    return texts.map((text) => ({ text: plain(`${prefix} ${text}`.trim()), anchor, line: index + 1 }));
  });
}

/** The text without Markdown, and with `…` for inserted text. */
export function plain(text: string): string {
  return text
    .replace(/(?<![\w\\])_[^_]+_(?!\w)/g, '…')
    .replace(/\\(.)/g, '$1')
    .replace(/…(?:…)+/g, '…');
}
