import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import * as markdown from 'prettier/plugins/markdown';
import { format } from 'prettier/standalone';

import { ROOT } from './root';

/** A table in Markdown; empty if it would have no rows. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('\n', '<br>').replaceAll('|', '\\|');
}

/** A name, as a workflow saves it, or a value. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Text of a description in Markdown. n8n's links become plain words. */
export function prose(text: string): string {
  return text
    .replace(/<a [^>]*>(.*?)<\/a>/g, '$1')
    .replace(/[*<>]/g, '\\$&')
    .trim();
}

/** The name of a heading in a link. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Formats a page as `npm run lint` expects it: as the repository's other pages, with tables that are not padded. */
export async function formatPage(page: string): Promise<string> {
  const options = JSON.parse(readFileSync(resolve(ROOT, '.prettierrc.json'), 'utf8')) as object;
  return await format(page, { ...options, proseWrap: 'never', parser: 'markdown', plugins: [markdown] });
}
