import fc from 'fast-check';

import {
  asOutput,
  inputKey,
  outputKey,
  RESERVED_KEYS,
  partKeysIn,
  triggerKey,
} from '../../../../nodes/ApplicationDataService/parts/model/keys';

it.each([...RESERVED_KEYS])("%s is the node's own key, and marked as a part's name", (key) => {
  expect(inputKey(key)).toBeNull();
  expect(outputKey(key)).toBe(`${key} (part)`);
  expect(inputKey(`${key} (part)`)).toBe(key);
});

it.each(['Name', 'Id', 'ID', 'id ', 'Total (part)', '', '__proto__', 'constructor'])(
  '%j stays unchanged',
  (key) => {
    expect(outputKey(key)).toBe(key);
    expect(inputKey(key)).toBe(key);
  },
);

it("input reverses output, and no output key is the node's own", () => {
  const suffixes = fc.integer({ min: 0, max: 3 }).map((count) => ' (part)'.repeat(count));
  const key = fc
    .tuple(fc.oneof(fc.constantFrom(...RESERVED_KEYS), fc.string()), suffixes)
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(key, (text) => {
      expect(RESERVED_KEYS.has(outputKey(text))).toBe(false);
      expect(inputKey(outputKey(text))).toBe(text);
    }),
  );
});

const BY_TRIGGERS = ['previous', 'url', 'applicationId', 'readError', 'sample'];

it.each(BY_TRIGGERS)('%s is marked by the triggers only', (key) => {
  expect(outputKey(key)).toBe(key);
  expect(inputKey(key)).toBe(key);
  expect(triggerKey(key)).toBe(`${key} (part)`);
});

const ALWAYS = 'id revision canWrite canDelete partErrors previousRevision recordId rowId'.split(' ');
const WITHOUT_ID = 'deleted ids notFound files'.split(' ');
const MADE =
  'event outcome error details message changes previous request dryRun readError sample url applicationId'.split(
    ' ',
  );
const MARKS: readonly [string, object, boolean][] = [
  ['an item that no node made', {}, false],
  ['a record that was read', { id: '1', revision: 3 }, false],
  ['an item of the trigger', { event: 'updated', id: '1', previousRevision: 3 }, true],
  ['a created record of the trigger', { event: 'created', id: '1', previousRevision: null }, true],
  ['an item of the webhook trigger', { event: 'created', id: '1', applicationId: '301' }, true],
  ['an event of somebody else', { event: 'click', id: '1', previousRevision: 3 }, false],
  ['an event alone', { event: 'updated', id: '1' }, false],
  ['a written record', { outcome: 'created', id: '1' }, true],
  ['a written row', { outcome: 'unchanged', recordId: '1' }, true],
  ['deleted records', { outcome: 'notFound', ids: [] }, true],
  ['a dry run of a create', { outcome: 'created', dryRun: true }, true],
  ['an outcome of somebody else', { outcome: 'won', id: '1' }, false],
  ['an outcome alone', { outcome: 'created' }, false],
  ['a failed item', { error: 'No right', details: {} }, true],
  ['an error alone', { error: 'No right' }, false],
];

describe.each(MARKS)('the keys of %s', (_, marks, isMade) => {
  const namesOf = partKeysIn(marks as Record<string, unknown>);

  it.each(ALWAYS)('%s names no part, and marked it does', (key) => {
    expect(namesOf(key)).toEqual([]);
    expect(namesOf(`${key} (part)`)).toContain(key);
  });

  it.each(MADE)('%s', (key) => {
    expect(namesOf(key)).toEqual(isMade ? [] : [key]);
    expect(namesOf(`${key} (part)`)).toContain(key);
  });

  it.each(BY_TRIGGERS)('%s, marked, is certain in an item of a trigger only', (key) => {
    const isCertain = isMade && 'event' in marks;
    expect(namesOf(`${key} (part)`)).toEqual([...(isCertain ? [] : [`${key} (part)`]), key]);
  });

  it.each(WITHOUT_ID)('%s, where there is no id', (key) => {
    expect(namesOf(key)).toEqual(isMade && !('id' in marks) ? [] : [key]);
    expect(namesOf(`${key} (part)`)).toEqual([`${key} (part)`, key]);
  });

  it.each([
    ['an object', {}, isMade],
    ['a text', 'x', false],
  ])('record, %s', (__, record, isOwn) => {
    expect(partKeysIn({ ...marks, record })('record')).toEqual(isOwn ? [] : ['record']);
  });
});

describe('an item as the action node would output it', () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      'of the trigger',
      {
        event: 'updated',
        id: '1',
        previousRevision: 2,
        url: 'own',
        'url (part)': 'x',
        'message (part)': 'y',
      },
      { id: '1', previousRevision: 2, url: 'x', 'message (part)': 'y' },
    ],
    [
      'of another node',
      { message: 'x', url: 'y', Name: 'z' },
      { 'message (part)': 'x', url: 'y', Name: 'z' },
    ],
    [
      'what says which numbers lost digits stays',
      { event: 'updated', previousRevision: 2, partErrors: { url: 'rounded' }, 'url (part)': null },
      { previousRevision: 2, partErrors: { url: 'rounded' }, url: null },
    ],
  ])('%s', (_, json, output) => expect(asOutput(json)).toMatchObject(output));

  it('is the item itself where no key is one of the nodes', () => {
    const json = { id: '1', 'id (part)': 'x', Name: 'y' };
    expect(asOutput(json)).toBe(json);
  });
});
