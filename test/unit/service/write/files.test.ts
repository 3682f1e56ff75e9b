import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { Part } from '../../../../nodes/ApplicationDataService/parts/model/part';
import {
  type FileChange,
  fileChanges,
  fileNameForm,
  filesOf,
  lackOf,
  splitFiles,
} from '../../../../nodes/ApplicationDataService/service/write/files';
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
  const found = { otherFiles: 0 };
  const lack = lackOf({ part: docs, value }, { Docs: shown }, { context: TOKYO, state: contents, found });
  const isHeld = lacking.length + left.length === 0;
  const rest = isHeld ? { kind: 'keep' } : { kind: 'files', add: lacking, remove: left };
  expect([lack, found]).toEqual([rest, { otherFiles }]);
});

test.each([
  ['decomposed letters of a Mac', 'Cafe\u0301.txt', 'Caf\u00e9.txt'],
  ['line breaks and tabs', 'a\r\nb\tc.txt', 'a b c.txt'],
])('a name is sent and compared in one form: %s', (_, given, form) => {
  expect(fileNameForm(given)).toBe(form);
  expect(filesOf([{ id: '7', name: given, size: 3 }])).toEqual([{ id: '7', name: form, size: 3 }]);
});

describe('what travels with the values, and what follows', () => {
  const photos = makePart('files', { id: '8', name: 'Photos' });
  const item = makePart('textbox', { id: '7', name: 'Item' });
  const lines = makePart('input_list', { id: '6', name: 'Lines', children: [item, docs] });
  const files = (part: Part, added: string[], remove: string[] = []): EncodedPart => ({
    part,
    value: { kind: 'files', add: added, remove },
  });
  const rows = (...values: EncodedPart[][]): EncodedPart => ({
    part: lines,
    value: { kind: 'rows', rows: values.map((each) => ({ values: each })) },
  });
  const named = new Map(
    ['a', 'b', 'same'].map((name) => [name, { fileName: name === 'same' ? 'a.txt' : `${name}.txt` }]),
  ) as unknown as Contents;
  const shown = (changes: readonly FileChange[]) =>
    changes.map(({ part, value, row }) => [part.name, ...value.add, ...value.remove, row !== undefined]);

  test.each<[string, EncodedPart[], unknown[], unknown[]]>([
    ['all of a part', [files(docs, ['a', 'b'])], [['Docs', 'a', 'b', false]], []],
    [
      'a second one of a name',
      [files(docs, ['a', 'same'])],
      [['Docs', 'a', false]],
      [['Docs', 'same', false]],
    ],
    [
      'one of a name in each part',
      [files(docs, ['a']), files(photos, ['same'])],
      [
        ['Docs', 'a', false],
        ['Photos', 'same', false],
      ],
      [],
    ],
    [
      'one of a name in each row',
      [rows([files(docs, ['a'])], [files(docs, ['same'])])],
      [
        ['Docs', 'a', true],
        ['Docs', 'same', true],
      ],
      [],
    ],
    [
      'a second one in a row',
      [rows([files(docs, ['a', 'same'])])],
      [['Docs', 'a', true]],
      [['Docs', 'same', true]],
    ],
    [
      'one removal a request',
      [files(docs, ['a'], ['1', '2']), files(photos, [], ['3'])],
      [
        ['Docs', 'a', '1', false],
        ['Photos', false],
      ],
      [
        ['Docs', '2', false],
        ['Photos', '3', false],
      ],
    ],
  ])('%s', (_, values, first, later) => {
    const split = splitFiles(values, named);
    expect([shown(fileChanges(split.first)), shown(split.later)]).toEqual([first, later]);
  });
});
