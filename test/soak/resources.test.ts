import { auditResources, slope } from './audit/resources';
import type { Sample } from './util/meter';

const collectable = globalThis.gc;

beforeAll(() => {
  globalThis.gc = (() => undefined) as NonNullable<typeof globalThis.gc>;
});
afterAll(() => {
  globalThis.gc = collectable;
});

/** One sample for each of nine minutes. */
function samples(of: (minute: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 10 }, (_, minute) => ({
    minute,
    heap: 50e6,
    buffers: 5e6,
    rss: 200e6,
    sockets: 0,
    handles: 3,
    ...of(minute),
  }));
}

const kinds = (given: Sample[]) => auditResources(given).violations.map(({ kind }) => kind);

test('accepts constant memory, and memory that grew while warming up', () => {
  expect(kinds(samples((minute) => ({ heap: 50e6 + (minute % 2) * 3e6 })))).toEqual([]);
  expect(kinds(samples((minute) => ({ heap: Math.min(minute, 3) * 20e6 })))).toEqual([]);
});

test('finds heap or memory that keeps growing', () => {
  expect(kinds(samples((minute) => ({ heap: 50e6 + minute * 1.5e6 })))).toEqual(['memory grows']);
  expect(kinds(samples((minute) => ({ buffers: minute * 2e6 })))).toEqual(['memory grows']);
  expect(kinds(samples((minute) => ({ rss: 200e6 + minute * 12e6 })))).toEqual(['memory grows']);
});

test('finds connections that stay open', () => {
  expect(kinds(samples((minute) => ({ sockets: minute })))).toEqual(['connections left open']);
});

test('fits a line', () => {
  expect(
    slope([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBeCloseTo(2);
  expect(slope([[1, 1]])).toBe(0);
});
