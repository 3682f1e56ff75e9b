import { violationsOf } from '../soak/audit/audit';
import { table } from '../soak/report';
import { soak, type SoakReport } from '../soak/soak';
import { SEED } from './seed';

const MINUTES = 1;

describe('A soak', () => {
  let report: SoakReport;

  beforeAll(async () => {
    report = await soak({ minutes: MINUTES, seed: String(SEED) }, () => undefined);
  }, 300_000);

  test('faults, restarts, writers and triggers cause no violations', () => {
    // A line each: a report of many lines is cut.
    const told = violationsOf(report.audit).map(
      ({ about, kind, details }) => `${about}: ${kind} ${JSON.stringify(details)}`,
    );
    expect(told).toEqual([]);
  });

  // How much happens in a fixed time depends on the machine.
  test('something happened', () => {
    const { Writes, Deletions, Reads } = report.audit;
    expect(Writes?.counts['present exactly once']).toBeGreaterThan(0);
    expect(Deletions?.counts['deletions acknowledged']).toBeGreaterThan(0);
    expect(Reads?.counts['records read']).toBeGreaterThan(0);
    expect(Object.keys(report.faults).length).toBeGreaterThan(0);
    for (const name of Object.keys(report.watchers))
      expect(report.audit[`Trigger: ${name}`]?.counts.created).toBeGreaterThan(0);
  });

  test('the report is a table', () => {
    const text = table(report);
    expect(text).toContain(`Soak of ${MINUTES} minutes, seed ${SEED}\n`);
    expect(text).toMatch(/ {2}present exactly once {2,}\d+\n/);
    expect(text).toMatch(/\n {2}full scan( +\d+){6}\n/);
    expect(text).toMatch(/\n {2}full scan( +\d+){7}\n/);
    expect(text).toMatch(/\n0 violations$/);
  });
});
