import { violationsOf } from '../../soak/audit/audit';
import { table } from '../../soak/report';
import { soak, type SoakReport } from '../../soak/soak';

let report: SoakReport;

beforeAll(async () => {
  report = await soak({ minutes: 0.4, seed: 'test' }, () => undefined);
}, 300_000);

test('half a minute of faults, restarts, writers and triggers leaves nothing to complain of', () => {
  expect(violationsOf(report.audit)).toEqual([]);
});

test('in which something happened', () => {
  const { Writes, Deletions, Reads } = report.audit;
  expect(Writes?.counts['present exactly once']).toBeGreaterThan(20);
  expect(Deletions?.counts['deletions acknowledged']).toBeGreaterThan(0);
  expect(Reads?.counts['records read']).toBeGreaterThan(20);
  expect(Object.keys(report.faults).length).toBeGreaterThan(3);
  for (const name of Object.keys(report.watchers))
    expect(report.audit[`Trigger: ${name}`]?.counts.created).toBeGreaterThan(0);
});

test('and which is told as a table', () => {
  const text = table(report);
  expect(text).toMatch(/Soak of 0\.4 minutes, seed test\n/);
  expect(text).toMatch(/ {2}present exactly once {2,}\d+\n/);
  expect(text).toMatch(/\n {2}full scan( +\d+){6}\n/);
  expect(text).toMatch(/\n {2}full scan( +\d+){7}\n/);
  expect(text).toMatch(/\n0 violations$/);
});
