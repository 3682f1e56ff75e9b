import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { Growth, Results, Row } from '../support/table';
import { comparisonChart, growthChart } from './charts';

const DOCS = join(__dirname, '..', '..', 'docs');
const PAGE = join(DOCS, 'performance.md');
const BEGIN = '<!-- figures: made by npm run bench -- --plot -->';
const END = '<!-- end of figures -->';

/** The charts of growth: the name of each file, and its labels. */
const GROWTHS: readonly { readonly by: Growth['by']; readonly x: string; readonly y: string }[] = [
  { by: 'items', x: 'items of one execution', y: 'requests' },
  { by: 'records', x: 'records of the application', y: 'requests of one item' },
  { by: 'executions', x: 'executions at the same time', y: 'seconds' },
];

/** Draws the charts of docs/performance.md and writes its table, from the figures of the last runs. */
export async function plot(results: Results): Promise<void> {
  const rows = Object.values(results).flatMap((measured) => measured.rows);
  const compared = rows.filter(({ figures }) => figures?.unit === 'ms');
  if (compared.length > 0) save('comparison', comparisonChart(compared));
  for (const { by, x, y } of GROWTHS) {
    const lines = rows.flatMap(({ growth }) => (growth?.by === by ? [growth] : []));
    if (lines.length > 0) save(by, growthChart(lines, x, y));
  }
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const text = `${before}${BEGIN}\n\n${tables(results)}\n\n${END}${after}`;
  writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}

function save(name: string, svg: string): void {
  const folder = join(DOCS, 'images', 'performance');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.svg`), `${svg}\n`);
}

/** One table for each measured case. */
function tables(results: Results): string {
  return Object.entries(results)
    .map(([name, { on, machine, rows }]) => {
      const lines = rows.map(line).join('\n');
      return `**\`${name}\`**, ${on}, ${machine}\n\n| What | These nodes | n8n's own nodes | The limit | Goal |\n| --- | --- | --- | --- | --- |\n${lines}`;
    })
    .join('\n\n');
}

function line({ name, ours, peer = '', limit = '', ratios, goal, met }: Row): string {
  const ratioTexts = Object.entries(ratios).map(([of, value]) => `${of} ${value.toFixed(2)}`);
  const verdict = met === null ? '' : met ? 'met' : '**missed**';
  const cells = [
    name,
    ours,
    peer,
    limit,
    [goal, ...ratioTexts, verdict].filter((text) => text !== '').join('; '),
  ];
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}
