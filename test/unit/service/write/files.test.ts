import { fileNameForm, filesOf, lackOf } from '../../../../nodes/ApplicationDataService/service/write/files';
import type { Contents } from '../../../../nodes/ApplicationDataService/service/write/form';
import { makePart, TOKYO } from '../../parts/support/parts';

const contents = new Map([
  ['data', { fileName: 'a.txt', size: 3 }],
  ['photo', { fileName: 'b.txt', size: 5 }],
]) as unknown as Contents;

const docs = makePart('files', { id: '9', name: 'Docs' });

test.each<[string, string[], string[], unknown, string[], string[], number]>([
  ['one of the same size is there', ['data'], [], [3], [], [], 0],
  ['one of another size is there, and counted', ['data'], [], [4], [], [], 1],
  ['one without a size is there', ['data'], [], [null], [], [], 0],
  ['each that is there counts for one', ['data', 'photo'], [], [3], ['photo'], [], 0],
  ['one that is to be removed counts for none', ['data'], ['7', '8'], [3], ['data'], ['7'], 0],
  ['all of it where files are not shown', ['data'], ['7'], undefined, ['data'], ['7'], 0],
])('of files that describe a state: %s', (_, add, remove, sizes, lacking, left, otherFiles) => {
  const shown = (sizes as unknown[] | undefined)?.map((size, at) => ({
    id: `${7 + at}`,
    name: 'a.txt',
    size,
  }));
  const value = { kind: 'files', add, remove } as const;
  const counts = { otherFiles: 0 };
  const lack = lackOf({ part: docs, value }, { Docs: shown }, { context: TOKYO, state: contents, counts });
  const isHeld = lacking.length + left.length === 0;
  const rest = isHeld ? { kind: 'keep' } : { kind: 'files', add: lacking, remove: left };
  expect([lack, counts]).toEqual([rest, { otherFiles }]);
});

test.each([
  ['decomposed letters of a Mac', 'Cafe\u0301.txt', 'Caf\u00e9.txt'],
  ['line breaks and tabs', 'a\r\nb\tc.txt', 'a b c.txt'],
])('a name is sent and compared in one form: %s', (_, given, form) => {
  expect(fileNameForm(given)).toBe(form);
  expect(filesOf([{ id: '7', name: given, size: 3 }])).toEqual([{ id: '7', name: form, size: 3 }]);
});
