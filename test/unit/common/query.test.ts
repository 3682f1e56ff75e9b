import {
  readNarrowing,
  readQuery,
  type SavedQuery,
} from '../../../nodes/ApplicationDataService/common/query';
import { makePart } from '../parts/support/parts';

const id = makePart('id', { id: '1', name: 'No', system: true });
const title = makePart('textbox', { id: '101', name: 'Title', identifier: 'title' });
const text = makePart('textarea', { id: '102', name: 'Long, text', identifier: 'text' });
const hours = makePart('number', { id: '103', name: 'Hours', identifier: 'hours' });
const related = makePart('rel_list', { id: '104', name: 'Related', identifier: 'related' });
const files = makePart('files', { id: '105', name: 'Files' });
const parts = [id, title, text, hours, related, files];

const read = (saved: SavedQuery, keyMode: 'name' | 'identifier' = 'name') =>
  readQuery(saved, { parts, keyMode, timezone: 'Asia/Tokyo' });

describe('readQuery', () => {
  it.each<[SavedQuery]>([
    [{}],
    [{ filters: {}, filterJson: '', keyword: ' ', keywordParts: [], sort: {}, partsToReturn: [] }],
    [{ filters: null, filterJson: null, sort: { by: { part: '' } }, partsToReturn: null }],
    [{ filters: { condition: [] }, filterJson: '{"item": []}', keywordParts: ['Title'] }],
  ])('requests every part and filters nothing for %j', (saved) => {
    expect(read(saved)).toEqual({
      parts,
      keyMode: 'name',
      lists: [{ filter: undefined, conditions: [], match: 'all' }],
      keyword: undefined,
      sort: undefined,
    });
  });

  it.each<[unknown]>([
    [['101', 'hours']],
    [['Title', 'Hours', 'title']],
    ['Title, Hours'],
    ['["101", "103"]'],
    ['101\n103'],
  ])('understands %j as parts to return', (partsToReturn) => {
    expect(read({ partsToReturn }).parts).toEqual([title, hours]);
  });

  it('understands a single name, commas and all', () => {
    expect(read({ partsToReturn: 'Long, text' }).parts).toEqual([text]);
    expect(read({ partsToReturn: 103 }).parts).toEqual([hours]);
  });

  it.each(['Nope', ['Title', 'Nope'], 'Title, Nope', '["Nope"]'])('refuses %j', (partsToReturn) => {
    expect(() => read({ partsToReturn })).toThrow('There is no part "Nope"');
  });

  it('refuses to return what the service does not return by identifier', () => {
    expect(() => read({ partsToReturn: ['Files'] }, 'identifier')).toThrow(
      /"Files" .* has no part identifier/,
    );
    expect(() => read({ keyword: 'x', keywordParts: ['Files'] }, 'identifier')).toThrow(/no part identifier/);
    expect(read({}, 'identifier').parts).toEqual(parts);
  });

  it('with a keyword, requests all searched parts in addition to the wanted ones', () => {
    expect(read({ keyword: ' steel ', partsToReturn: ['Hours'] })).toMatchObject({
      keyword: 'steel',
      parts: [hours, title, text, files],
    });
    expect(read({ keyword: 'x', partsToReturn: ['Hours'], keywordParts: ['text', 'Title'] }).parts).toEqual([
      hours,
      text,
      title,
    ]);
    expect(read({ keyword: 'x' }).parts).toEqual(parts);
  });

  it('refuses keyword parts that are not searched, if there is a keyword', () => {
    expect(() => read({ keyword: 'x', keywordParts: ['Hours'] })).toThrow(/cannot be searched by keyword/);
    expect(read({ keyword: '', keywordParts: ['Hours'] }).keyword).toBeUndefined();
  });

  it('sorts in ascending order by default', () => {
    expect(read({ sort: { by: { part: '103' } } }).sort).toEqual({ part: hours, order: 'asc' });
    expect(read({ sort: { by: { part: 'Title', order: 'desc' } } }).sort).toEqual({
      part: title,
      order: 'desc',
    });
  });

  it('refuses to sort by what the service does not sort by', () => {
    expect(() => read({ sort: { by: { part: 'text' } } })).toThrow(/cannot be sorted by part "Long, text"/);
  });
});

describe('the lists of a query', () => {
  const asked = { part: 'Title', operator: 'contains', value: 'x' };
  const other = { part: 'Hours', operator: 'gte', value: '1' };
  const checked = { part: 'Hours', operator: 'lt', value: '7' };
  const json = { field_id: '9', operator: '~', value: 'z' };
  const [x, y] = [
    { field_id: '101', operator: 'contains', value: 'x' },
    { field_id: '103', operator: '>=', value: '1' },
  ];

  /** Conditions that each list sends, and operators that the node checks. */
  function lists(match: 'all' | 'any', ...condition: object[]): unknown[] {
    const query = readQuery(
      { match, filters: { condition }, filterJson: { item: [json] } },
      { parts, keyMode: 'name', timezone: 'UTC' },
      true,
    );
    return query.lists.map(({ filter, conditions }) => [
      (JSON.parse(filter ?? '{}') as { item?: unknown }).item,
      conditions.map(({ operator }) => operator),
    ]);
  }

  it('one if all conditions must be met', () => {
    expect(lists('all')).toEqual([[[json], []]]);
    expect(lists('all', asked, checked, other)).toEqual([[[x, y, json], ['lt']]]);
  });

  it('one for each condition that the service checks if one is enough, and one for the others together', () => {
    expect(lists('any')).toEqual([[[json], []]]);
    expect(lists('any', asked)).toEqual([[[x, json], []]]);
    expect(lists('any', checked, { ...checked, operator: 'isNotNull' })).toEqual([
      [[json], ['lt', 'isNotNull']],
    ]);
    expect(lists('any', checked, asked, other)).toEqual([
      [[x, json], []],
      [[y, json], []],
      [[json], ['lt']],
    ]);
  });
});

describe('readNarrowing', () => {
  it('searches the chosen parts, and only with a keyword', () => {
    const context = { parts, keyMode: 'name', timezone: 'UTC' } as const;
    expect(readNarrowing({ keyword: 'x', keywordParts: ['Title'] }, context)).toEqual({
      filter: undefined,
      test: null,
      keyword: 'x',
      searched: [title],
    });
    expect(readNarrowing({ keywordParts: ['Title'] }, context).searched).toEqual([]);
    expect(readNarrowing({ keyword: 'x' }, context).searched).toEqual([title, text, files]);
  });

  it('leaves to the service the conditions that it knows, and to the node the others, or all if one of several is enough', () => {
    const asked = { part: 'Title', operator: 'contains', value: 'x' };
    const own = { part: 'Hours', operator: 'lt', value: '7' };
    const context = { parts, keyMode: 'name', timezone: 'UTC' } as const;
    const narrowing = (match: 'all' | 'any', ...condition: object[]) => {
      const { filter, test } = readNarrowing({ match, filters: { condition } }, context);
      return [filter !== undefined, test?.parts.map(({ name }) => name) ?? null];
    };
    expect(narrowing('all', asked)).toEqual([true, null]);
    expect(narrowing('all', asked, own)).toEqual([true, ['Hours']]);
    expect(narrowing('any', asked)).toEqual([true, null]);
    expect(narrowing('any', asked, own)).toEqual([false, ['Title', 'Hours']]);
    const { test } = readNarrowing({ match: 'any', filters: { condition: [asked, own] } }, context);
    expect([7, 6].map((hours) => test?.meets({ Title: { val: 'y' }, Hours: { val: hours } }))).toEqual([
      false,
      true,
    ]);
    const custom = { part: 'Title', operator: 'custom', customOperator: '~', value: 'x' };
    expect(narrowing('any', custom)).toEqual([true, null]);
    expect(() => narrowing('any', custom, own)).toThrow(/"Custom" cannot be used here/);
  });
});
