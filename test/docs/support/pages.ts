import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { anchor } from '../../../docs/generate/markdown';
import { ROOT } from '../../../docs/generate/root';

/** A page of the repository, with its path. */
export interface Page {
  readonly path: string;
  /** Its text without code blocks. */
  readonly prose: string;
  /** Its code blocks and code spans. */
  readonly code: readonly string[];
  /** Names of its headings and other places in links. */
  readonly anchors: ReadonlySet<string>;
}

const BLOCK = /^ *```.*?^ *```$/gms;

/** Every Markdown file of the repository. */
export function readPages(): Page[] {
  return filesOf('*.md').map(readPage);
}

/** The repository's files, including those that are not committed yet. */
export function filesOf(...patterns: readonly string[]): string[] {
  const deleted = new Set(git('ls-files', '--deleted'));
  const present = git(
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
    '--',
    ...patterns,
  );
  return present.filter((name) => !deleted.has(name));
}

/** Whether git ignores a path, because commands create it. */
export function isIgnored(path: string): boolean {
  return spawnSync('git', ['check-ignore', path, `${path}/`], { cwd: ROOT }).status === 0;
}

function git(...parameters: readonly string[]): string[] {
  const lines = execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line !== '');
}

function readPage(path: string): Page {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  const prose = text.replace(BLOCK, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return { path, prose, code: [...(text.match(BLOCK) ?? []), ...spans], anchors: anchorsOf(prose) };
}

/** The names that a page gives to places, and GitHub to headings. A repeated heading gets a number. */
function anchorsOf(prose: string): Set<string> {
  const anchors = new Set([...prose.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name));
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+)$/gm)) {
    const name = anchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim());
    let [unique, again] = [name, 0];
    while (anchors.has(unique)) unique = `${name}-${++again}`;
    anchors.add(unique);
  }
  return anchors;
}
