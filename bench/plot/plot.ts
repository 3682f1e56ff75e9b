import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Growth, Results } from '../support/table';
import { comparisonChart, growthChart } from './charts';

/** The charts of growth: the name of each file, and its labels. */
const GROWTHS: readonly { readonly by: Growth['by']; readonly x: string; readonly y: string }[] = [
  { by: 'items', x: 'items of one execution', y: 'requests' },
  { by: 'records', x: 'records of the application', y: 'requests of one item' },
  { by: 'executions', x: 'executions at the same time', y: 'seconds' },
];

/** Draws the charts of docs/performance.md from the figures of the last runs. `npm run docs` writes the figures into the pages. */
export function plot(results: Results): void {
  const rows = Object.values(results).flatMap((measured) => measured.rows);
  const compared = rows.filter(({ figures }) => figures?.unit === 'ms');
  if (compared.length > 0) save('comparison', comparisonChart(compared));
  for (const { by, x, y } of GROWTHS) {
    const lines = rows.flatMap(({ growth }) => (growth?.by === by ? [growth] : []));
    if (lines.length > 0) save(by, growthChart(lines, x, y));
  }
}

function save(name: string, svg: string): void {
  const folder = join(__dirname, '..', '..', 'docs', 'images', 'performance');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.svg`), `${svg}\n`);
}
