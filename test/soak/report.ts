import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stringify } from 'yaml';

import { violationsOf } from './audit/audit';
import type { SoakReport } from './soak';

const FOLDER = join(__dirname, '.results');

/** Violations that are printed; all are in the file. */
const SHOWN = 5;

/** The report as a person reads it: all counts, and the first violations, a line each. */
export function summary({ audit, ...report }: SoakReport): string {
  const counts = Object.fromEntries(Object.entries(audit).map(([about, section]) => [about, section.counts]));
  const violations = violationsOf(audit);
  return [
    stringify({ ...report, audit: counts }),
    ...violations.slice(0, SHOWN).map((each) => JSON.stringify(each)),
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
