import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { CurrentRecord } from '../../../../nodes/ApplicationDataService/service/read/records';
import {
  type Guard,
  type Trace,
  traceOf,
  verdict,
} from '../../../../nodes/ApplicationDataService/service/write/verdict';
import { makePart, TOKYO } from '../../parts/support/parts';

const NOTHING: Trace = { held: true, someHeld: false, added: 0, fresh: 0, equal: 0, moved: 0 };

type Row = [
  guard: Guard,
  what: string,
  trace: Partial<Trace>,
  expected: ReturnType<typeof verdict>,
  isRefusedAfterLoss?: boolean,
];

/** The table of parameters.md, "What became of a write", row by row. */
const REFUSED: Row[] = [
  ['none', 'whatever the record holds', { held: true }, 'notDone'],
  ['user', 'moved, held', { moved: 1, someHeld: true }, 'notDone'],
  ['user', 'moved, an equal row is new', { moved: 1, added: 1, fresh: 1, equal: 1 }, 'unknown'],
  ['node', 'moved, held', { moved: 1 }, 'done'],
  ['node', 'moved by several, held', { moved: 3 }, 'done'],
  ['node', 'moved, other values', { moved: 1, held: false }, 'notDone'],
  ['node', 'moved, not shown', { moved: 1, held: null }, 'notDone'],
  ['node', 'moved, nothing new', { moved: 1, added: 1 }, 'notDone'],
  ['node', 'moved, an equal row is new', { moved: 1, added: 2, fresh: 2, equal: 1 }, 'unknown'],
  ['node', 'moved, other rows are new', { moved: 1, added: 1, fresh: 1 }, 'notDone'],
  ['node', 'not moved, held before', {}, 'notDone'],
  ['user', 'not moved, not held', { held: false }, 'notDone'],
];

const LOST: Row[] = [
  ['none', 'held', { held: true }, 'done'],
  ['none', 'not held', { held: false }, 'notDone'],
  ['none', 'not shown', { held: null }, 'unknown'],
  ['user', 'not moved', { held: false }, 'notDone'],
  ['node', 'not moved', { held: false }, 'notDone'],
  ['node', 'not moved, and then refused', { held: false }, 'unknown', true],
  ['node', 'moved, held', { moved: 2 }, 'done'],
  ['user', 'moved by one, held', { moved: 1 }, 'done'],
  ['user', 'moved by two, held', { moved: 2, someHeld: true }, 'unknown'],
  ['user', 'moved by one, the new row is the added one', { moved: 1, added: 1, fresh: 1, equal: 1 }, 'done'],
  [
    'node',
    'moved by one, the new rows are the added ones',
    { moved: 1, added: 2, fresh: 2, equal: 2 },
    'done',
  ],
  ['node', 'moved by two, with the added row', { moved: 2, added: 1, fresh: 1, equal: 1 }, 'unknown'],
  [
    'node',
    'moved by one, one row more than was added',
    { moved: 1, added: 1, fresh: 2, equal: 1 },
    'unknown',
  ],
  ['node', 'moved, other values', { moved: 2, held: false }, 'notDone'],
  ['node', 'moved, nothing was added', { moved: 2, added: 1 }, 'notDone'],
  [
    'node',
    'moved by one, other values beside an equal row',
    { moved: 1, held: false, added: 1, fresh: 1, equal: 1 },
    'notDone',
  ],
  ['user', 'moved by one, nothing of it held', { moved: 1, held: false }, 'notDone'],
  ['user', 'moved by one, other values and a row', { moved: 1, held: false, added: 1, fresh: 1 }, 'unknown'],
  ['user', 'moved by one, some of it held', { moved: 1, held: false, someHeld: true }, 'unknown'],
  ['user', 'moved by two, nothing of it held', { moved: 2, held: false }, 'unknown'],
  ['user', 'moved by one, not shown', { moved: 1, held: null }, 'unknown'],
];

describe.each([
  ['refused', REFUSED],
  ['lost', LOST],
] as const)('%s', (answer, rows) => {
  test.each(rows)('guard %s: %s', (guard, _, trace, expected, isRefusedAfterLoss = false) => {
    const sent = isRefusedAfterLoss ? 'lostThenRefused' : answer;
    expect(verdict(guard, sent, { ...NOTHING, ...trace })).toBe(expected);
  });
});

describe('what a record shows of a write', () => {
  const name = makePart('textbox', { name: 'Name' });
  const item = makePart('textbox', { name: 'Item' });
  const docs = makePart('files', { name: 'Docs' });
  const lines = makePart('input_list', { name: 'Lines', children: [item] });
  const record = (revision: number, values: object): CurrentRecord => ({
    id: '12',
    revision,
    record: { id: '12', revision, ...values },
  });
  const row = (text: string, id?: string) => ({
    ...(id !== undefined && { id }),
    values: [{ part: item, value: { kind: 'text', text } as const }],
  });
  const contents = new Map([
    [
      'data',
      {
        fileName: 'a.txt',
        type: 'text/plain',
        size: 3,
        read: () => [] as unknown as AsyncIterable<Uint8Array>,
      },
    ],
  ]);
  const trace = (values: EncodedPart[], before: object, after: object) =>
    traceOf({ values, revision: 5 }, record(5, before), record(6, after), TOKYO, contents);

  test('of plain values', () => {
    const values = [{ part: name, value: { kind: 'text', text: 'mine' } as const }];
    expect(trace(values, { Name: 'old' }, { Name: 'mine' })).toMatchObject({ held: true, someHeld: true });
    expect(trace(values, { Name: 'mine' }, { Name: 'mine' })).toMatchObject({ held: true, someHeld: false });
    expect(trace(values, { Name: 'old' }, { Name: 'old' })).toMatchObject({ held: false });
    expect(trace(values, {}, {})).toMatchObject({ held: null });
  });

  test('of rows: changed, removed and added ones, whatever became of the others', () => {
    const values = [
      { part: lines, value: { kind: 'rows', rows: [row('a', '1'), row('B', '2'), row('new')] } as const },
    ];
    const before = {
      Lines: [
        { id: '1', Item: 'a' },
        { id: '2', Item: 'b' },
        { id: '3', Item: 'c' },
      ],
    };
    const after = [
      { id: '1', Item: 'theirs' },
      { id: '2', Item: 'B' },
      { id: '4', Item: 'new' },
      { id: '5', Item: 'x' },
    ];
    expect(trace(values, before, { Lines: after })).toEqual({
      held: true,
      someHeld: true,
      added: 1,
      fresh: 2,
      equal: 1,
      moved: 1,
    });
    const kept = [...after, { id: '3', Item: 'c' }];
    expect(trace(values, before, { Lines: kept })).toMatchObject({ held: false, someHeld: true });
  });

  test('of files: by name and size', () => {
    const values = [{ part: docs, value: { kind: 'files', add: ['data'], remove: ['7'] } as const }];
    const before = { Docs: [{ id: '7', name: 'old.txt', size: 1 }] };
    const after = (size: number) => ({ Docs: [{ id: '8', name: 'a.txt', size }] });
    expect(trace(values, before, after(3))).toMatchObject({ held: true, added: 1, fresh: 1, equal: 1 });
    expect(trace(values, before, after(4))).toMatchObject({ held: true, added: 1, fresh: 1, equal: 0 });
    expect(trace(values, before, { Docs: [...before.Docs, ...after(3).Docs] })).toMatchObject({
      held: false,
    });
  });
});
