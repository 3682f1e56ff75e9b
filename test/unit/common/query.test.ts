import {
  readNarrowing,
  readRecordQuery,
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
  readRecordQuery(saved, { parts, keyMode, timezone: 'Asia/Tokyo' });

describe('readRecordQuery', () => {
  it.each<[SavedQuery]>([
    [{}],
    [{ filters: {}, filterJson: '', keyword: ' ', keywordParts: [], sort: {}, partsToReturn: [] }],
    [{ filters: null, filterJson: null, sort: { by: { part: '' } }, partsToReturn: null }],
    [{ filters: { condition: [] }, filterJson: '{"item": []}', keywordParts: ['Title'] }],
  ])('asks for every part and narrows nothing by %j', (saved) => {
    expect(read(saved)).toEqual({
      parts,
      keyMode: 'name',
      filter: undefined,
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

  it('asks with a keyword for all parts that are searched besides those wanted', () => {
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

  it('sorts up unless it is told to sort down', () => {
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

describe('readNarrowing', () => {
  it('searches the parts that are chosen, and only with a keyword', () => {
    const context = { parts, keyMode: 'name', timezone: 'UTC' } as const;
    expect(readNarrowing({ keyword: 'x', keywordParts: ['Title'] }, context)).toEqual({
      filter: undefined,
      keyword: 'x',
      searched: [title],
    });
    expect(readNarrowing({ keywordParts: ['Title'] }, context).searched).toEqual([]);
    expect(readNarrowing({ keyword: 'x' }, context).searched).toEqual([title, text, files]);
  });
});
