import { switchSetting } from '../../../nodes/ApplicationDataService/common/setting';
import { refusalOf } from '../parts/support/parts';

const { read } = switchSetting({ displayName: 'Dry Run', name: 'dryRun', type: 'boolean', default: false });

test.each([
  [true, true],
  [' True ', true],
  [1, true],
  [false, false],
  ['FALSE', false],
  [0, false],
])('a switch may come as %j', (value, expected) => {
  expect(read(value)).toBe(expected);
});

test.each([['yes'], [''], [2], [null], ['1']])('%j is refused, naming the switch', (value) => {
  expect(refusalOf(() => read(value)).message).toContain('Dry Run');
});
