import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TRIGGER, violationsOf } from './audit/audit';
import type { SoakReport } from './soak';

const FOLDER = join(__dirname, '.results');

type Counts = Readonly<Record<string, number>>;

/** Violations that are printed; all are in the file. */
const SHOWN = 5;

/** The report as a short table. */
export function table(report: SoakReport): string {
  const { seed, minutes, dialect, runs, faults, restarts, watchers, reported, audit } = report;
  const violations = violationsOf(audit);
  return [
    `Soak of ${minutes} minutes, seed ${seed}`,
    '',
    `Dialect   ${inWords(dialect)}`,
    `Faults    ${inWords(faults)}`,
    `Sandbox   ended ${restarts.clean} times, killed ${restarts.killed} times`,
    '',
    `What the action node said of its items, in ${runs} runs`,
    ...Object.entries(reported).map(([operation, counts]) => `  ${operation.padEnd(12)}${inWords(counts)}`),
    '',
    ...Object.entries(audit)
      .filter(([about]) => !about.startsWith(TRIGGER))
      .flatMap(([about, { counts }]) => [about, ...Object.entries(counts).map(countLine)]),
    '',
    ...columns(
      'What the triggers went through',
      Object.entries(watchers).map(([name, counts]) => [name, { ...counts }]),
    ),
    '',
    ...columns(
      'What they reported',
      Object.keys(watchers).map((name) => [name, audit[`${TRIGGER}${name}`]?.counts ?? {}]),
    ),
    '',
    ...violations
      .slice(0, SHOWN)
      .map(({ about, kind, details }) => `${about}: ${kind}\n${JSON.stringify(details)}`),
    `${violations.length} violations`,
  ].join('\n');
}

/** Saves the whole report. @returns its path. */
export function save(report: SoakReport): string {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${report.minutes}-minutes-seed-${report.seed.replace(/\W/g, '_')}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** A table with a line for each name and a column for each count. */
function columns(title: string, rows: readonly (readonly [name: string, counts: Counts])[]): string[] {
  const counted = [...new Set(rows.flatMap(([, counts]) => Object.keys(counts)))];
  const first = Math.max(title.length, ...rows.map(([name]) => name.length + 2));
  return [
    [title.padEnd(first), ...counted].join('  '),
    ...rows.map(([name, counts]) =>
      [
        `  ${name}`.padEnd(first),
        ...counted.map((each) => String(counts[each] ?? 0).padStart(each.length)),
      ].join('  '),
    ),
  ];
}

function countLine([name, count]: [string, number]): string {
  return `  ${name.padEnd(52)}${count}`;
}

function inWords(counts: Readonly<Record<string, number | string>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
