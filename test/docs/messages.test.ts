import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/root';
import { filesOf } from './support/pages';

/** What the package can say: its sources without comments, with texts of several lines joined. */
const sources = filesOf('nodes/**.ts', 'credentials/*.ts')
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')
  .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  .replace(/['`]\s*\+\s*['`]/g, '')
  .replaceAll("\\'", "'");

/** The messages of a page: the bold words with which its entries begin. */
function messagesOf(page: string): string[] {
  const entries = readFileSync(join(ROOT, page), 'utf8').matchAll(/^- \*\*(.+?)\*\*/gms);
  return [...entries].map(([, message = '']) => message.replaceAll(/\s+/g, ' '));
}

/** The words of a message that are always the same: those between examples in italics and `…`. */
function piecesOf(message: string): string[] {
  return message
    .split(/(?<!\w)_[^_]+_(?!\w)|…/)
    .map((piece) => piece.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((piece) => piece !== '');
}

test('the nodes say what the page of errors explains', () => {
  const page = 'docs/errors.md';
  const messages = messagesOf(page);
  expect(messages.length).toBeGreaterThan(20);
  const stale = messages.flatMap((message) =>
    piecesOf(message)
      .filter((piece) => !sources.includes(piece))
      .map((piece) => `${page}: no source says "${piece}". Reword or remove the entry "${message}".`),
  );
  expect(stale).toEqual([]);
});
