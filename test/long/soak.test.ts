import { violationsOf } from '../soak/audit/audit';
import { summary } from '../soak/report';
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
    const { Writes, Deletions, State } = report.audit;
    expect(Writes?.counts['present exactly once']).toBeGreaterThan(0);
    expect(Deletions?.counts['deletions acknowledged']).toBeGreaterThan(0);
    expect(State?.counts['records read']).toBeGreaterThan(0);
    expect(Object.keys(report.faults).length).toBeGreaterThan(0);
    for (const name of Object.keys(report.watchers))
      expect(report.audit[`Trigger: ${name}`]?.counts.created).toBeGreaterThan(0);
  });

  test('the summary has all counts, and the number of violations', () => {
    const text = summary(report);
    expect(text).toContain(`seed: "${SEED}"\nminutes: ${MINUTES}\n`);
    expect(text).toMatch(
      /\n {4}present exactly once: \d+\n[^]*\n {2}"Trigger: full scan":\n[^]*\n0 violations$/,
    );
  });
});
