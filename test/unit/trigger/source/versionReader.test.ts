import { isChanged } from '../../../../nodes/ApplicationDataService/trigger/source/versionReader';
import { makePart } from '../../parts/support/parts';

const files = makePart('files', { id: '7', name: 'Papers' });
const owner = makePart('users', { id: '8', name: 'Owner' });

const colours = makePart('checkbox', { id: '10', name: 'Colours', options: ['red', 'blue'] });
const lines = makePart('input_list', { id: '9', name: 'Lines', children: [colours] });

const kept = (...values: readonly object[]): string => JSON.stringify(values);

test.each([
  ['a file of another size', files, kept({ id: '1', size: 10 }), kept({ id: '1', size: 11 }), true],
  [
    'the same files in another order',
    files,
    kept({ id: '1' }, { id: '2' }),
    kept({ id: '2' }, { id: '1' }),
    false,
  ],
  ['a user with a new name', owner, kept({ id: '1', name: 'A' }), kept({ id: '1', name: 'B' }), false],
  [
    'a choice in a row',
    lines,
    kept({ id: '1', Colours: ['red'] }),
    kept({ id: '1', Colours: ['blue'] }),
    true,
  ],
  ['an empty list in a row', lines, kept({ id: '1', Colours: [] }), kept({ id: '1' }), false],
  ['another user', owner, kept({ id: '1', name: 'A' }), kept({ id: '2', name: 'A' }), true],
] as const)('%s', (_, part, before, after, expected) => {
  expect(isChanged(part, before, after, 'name')).toBe(expected);
});
