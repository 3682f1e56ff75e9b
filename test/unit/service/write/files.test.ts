import {
  type Contents,
  filesOf,
  lackingFiles,
} from '../../../../nodes/ApplicationDataService/service/write/files';

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
