import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TRIGGER, violationsOf, type Audit } from './audit/audit';
import type { SoakReport } from './soak';

const FOLDER = join(__dirname, '.results');
/** Violations that are printed; all are in the file. */
const SHOWN = 5;

/** The report as a short table. */
export function table(report: SoakReport): string {
  const { seed, minutes, dialect, runs, faults, restarts, told, audit } = report;
  const violations = violationsOf(audit);
  return [
    `Soak of ${minutes} minutes, seed ${seed}`,
    '',
    `Dialect   ${inWords(dialect)}`,
    `Faults    ${inWords(faults)}`,
    `Sandbox   ended ${restarts.clean} times, killed ${restarts.killed} times`,
    '',
    `What the action node said of its items, in ${runs} runs`,
    ...Object.entries(told).map(([operation, counts]) => `  ${operation.padEnd(12)}${inWords(counts)}`),
    '',
    ...Object.entries(audit)
      .filter(([about]) => !about.startsWith(TRIGGER))
      .flatMap(([about, { counts }]) => [about, ...Object.entries(counts).map(countLine)]),
    'Triggers',
    ...triggerLines(report),
    '',
    ...violations
      .slice(0, SHOWN)
      .map(({ about, kind, details }) => `${about}: ${kind}\n${JSON.stringify(details)}`),
    `${violations.length} violations`,
  ].join('\n');
}

/** Saves the whole report; gives where. */
export function save(report: SoakReport): string {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${report.minutes}-minutes-seed-${report.seed.replace(/\W/g, '_')}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** One line a trigger, under the names of what is counted. */
function triggerLines({ audit, watchers }: SoakReport): string[] {
  const rows = Object.entries(watchers).map(([name, counts]) => ({
    '': name,
    ...counts,
    ...countsOf(audit, name),
  }));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => String({ ...row }[name] ?? 0)))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
}

function countsOf(audit: Audit, watcher: string): Readonly<Record<string, number>> {
  return audit[`${TRIGGER}${watcher}`]?.counts ?? {};
}

function countLine([name, count]: [string, number]): string {
  return `  ${name.padEnd(52)}${count}`;
}

function inWords(counts: Readonly<Record<string, number | string>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
