import {
  type Contents,
  fileChanges,
  filesOf,
  lackingFiles,
} from '../../../../nodes/ApplicationDataService/service/write/files';
import { makePart } from '../../parts/support/parts';

const contents = new Map([
  ['data', { fileName: 'a.txt', size: 3 }],
  ['photo', { fileName: 'b.txt', size: 5 }],
]) as unknown as Contents;

const stored = (size: number | null) => [{ id: '7', name: 'a.txt', mimeType: '', url: 'x', size }];
const add = (...names: string[]) => ({ kind: 'files', add: names, remove: [] }) as const;

test.each([
  ['the same size', 3, 0],
  ['another size', 4, 1],
  ['a size that the service does not say', null, 0],
])('a file of the same name is there with %s', (_, size, otherSize) => {
  expect(lackingFiles(add('data'), stored(size), contents)).toEqual({ value: { kind: 'keep' }, otherSize });
});

test('each file that is there counts for one, and files to remove for none', () => {
  expect(lackingFiles(add('data', 'photo'), stored(3), contents)?.value).toEqual(add('photo'));
  const replaced = { kind: 'files', add: ['data'], remove: ['7', '8'] } as const;
  expect(lackingFiles(replaced, stored(3), contents)?.value).toEqual({ ...replaced, remove: ['7'] });
});

test('a record that does not show its files tells nothing', () => {
  expect(lackingFiles(add('data'), undefined, contents)).toBeNull();
  expect(filesOf('hidden')).toBeUndefined();
});

test('files that were altered are told apart by their names, in whatever order the service lists them', () => {
  const part = makePart('files', { id: '9', name: 'Docs' });
  const is = { Docs: [{ ...stored(9)[0], id: '8', name: 'b.txt' }, ...stored(4)] };
  const [change] = fileChanges(
    [{ part, value: add('data', 'photo') }],
    { record: { id: '1', revision: 1, Docs: [] } },
    { record: { id: '1', revision: 2, ...is } },
    { keyMode: 'name', timezone: 'UTC' },
    contents,
    true,
  );
  expect(change?.kept).toEqual([
    { name: 'a.txt', altered: 'a.txt (3 bytes sent, 4 kept)' },
    { name: 'b.txt', altered: 'b.txt (5 bytes sent, 9 kept)' },
  ]);
});
