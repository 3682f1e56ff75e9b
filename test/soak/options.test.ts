import { readOptions } from './options';
import { Random } from './util/random';

test('ten minutes and a random seed by default', () => {
  expect(readOptions([])).toMatchObject({ minutes: 10, seed: expect.stringMatching(/^\d+$/) as string });
  expect(readOptions(['--minutes', '0.5', '--seed', 'x'])).toEqual({ minutes: 0.5, seed: 'x' });
});

test.each([
  ['--minutes', 'x'],
  ['--minutes', '0'],
  ['--hours', '1'],
])('refuses %s %s', (...args) => {
  expect(() => readOptions(args)).toThrow();
});

test('explains itself', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(readOptions(['--help'])).toBeNull();
  expect(String(write.mock.calls[0]?.[0])).toMatch(/--minutes[\s\S]*--seed/);
  write.mockRestore();
});

test('the same seed draws the same numbers, and each actor draws its own', () => {
  const draw = (random: Random) => Array.from({ length: 20 }, () => random.integer(1, 1000));
  const of = (seed: string, name: string) => draw(new Random(seed).fork(name));
  expect(of('1', 'a')).toEqual(of('1', 'a'));
  expect(of('1', 'a')).not.toEqual(of('2', 'a'));
  expect(of('1', 'a')).not.toEqual(of('1', 'b'));
  const drawn = draw(new Random('x'));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(1000);
  expect(new Random('x').some([1, 2, 3], 5).sort()).toEqual([1, 2, 3]);
});
