import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { Results, Row } from '../../bench/support/table';
import { ROOT } from './root';

/** The pages with figures that `npm run bench` has measured. */
export const FIGURE_PAGES = ['docs/performance.md', 'docs/dev/performance.md'];

/** A place in a page for figures: which ones, and what stands there. */
const PLACE = /<!-- figures: (\w+) -->[\s\S]*?<!-- end of figures -->/g;

/** What can stand in such a place. */
const FIGURES: Readonly<Record<string, (results: Results) => string>> = {
  all: allOf,
  parallel: ({ parallel }) =>
    table(
      ['Records written by', 'Time, calls refused, items failed', "The service's own part"],
      (parallel?.rows ?? []).flatMap(({ name, ours, limit }) =>
        limit === undefined ? [] : [[name, ours, limit]],
      ),
    ),
  state: ({ triggerState }) =>
    table(
      ['What is remembered', 'Characters per record'],
      (triggerState?.rows ?? []).map(({ name, ratios: of }) => [
        name.replace('Trigger state, ', ''),
        (of['characters/record'] ?? 0).toFixed(1),
      ]),
    ),
  beside: ({ parallel }) => {
    const row = parallel?.rows.find(({ name }) => name.startsWith('Beside'));
    return `${row?.name}: ${row?.ours}.`;
  },
};

/**
 * A page with the figures of the last runs (`bench/results.json`).
 * @param path relative to the repository
 * @throws Error for a place whose name means nothing
 */
export async function withFigures(path: string, results: Results): Promise<string> {
  const page = readFileSync(join(ROOT, path), 'utf8');
  const text = page.replace(PLACE, (_, name: string) => {
    const figures = FIGURES[name];
    if (figures === undefined) throw new Error(`${path}: there are no figures "${name}".`);
    return `<!-- figures: ${name} -->\n\n${figures(results)}\n\n<!-- end of figures -->`;
  });
  return await format(text, { ...(await resolveConfig(join(ROOT, path))), parser: 'markdown' });
}

/** One list for each measured case; requests by size are drawn as charts. */
function allOf(results: Results): string {
  const listed = Object.entries(results).filter(([, { rows }]) =>
    rows.some(({ growth }) => growth === undefined),
  );
  const machines = new Set(listed.map(([, { machine }]) => machine));
  const lists = listed.map(
    ([name, { on, rows }]) => `**\`${name}\`**, ${on}\n\n${rows.map(lineOf).join('\n')}`,
  );
  return [`On ${[...machines].join(', ')}:`, ...lists].join('\n\n');
}

function lineOf({ name, ours, peer, limit, ratios: of, goal, met }: Row): string {
  // The others repeat a figure for its goal.
  const compared = Object.entries(of).filter(([what]) => /\/|processor/.test(what));
  const ratioTexts = compared.map(([what, value]) => `${what} ${value.toFixed(2)}`);
  const figures = [ours, peer && `peer ${peer}`, limit && `limit ${limit}`, ...ratioTexts];
  const verdict = met === false ? `; **missed** (${goal})` : '';
  return `- ${name}: ${figures.filter(Boolean).join('; ')}${verdict}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
