import { UserError } from '../../../../nodes/ApplicationDataService/util/userError';
import { findPart, partsKeyed } from '../../../../nodes/ApplicationDataService/parts/model/lookup';
import { listedIdPart, ownIdPart } from '../../../../nodes/ApplicationDataService/parts/types/id';
import { makePart, refusalOf, suggestionIn } from '../support/parts';

const name = makePart('textbox', { id: '101', name: 'Name', identifier: 'name_id' });
const price = makePart('number', { id: '102', name: 'Price', identifier: 'price' });
const year = makePart('number', { id: '103', name: '102', identifier: 'Price list' });
const twinA = makePart('date', { id: '104', name: 'Day' });
const twinB = makePart('date', { id: '105', name: 'Day', identifier: 'day' });
const parts = [name, price, year, twinA, twinB];

test.each([
  ['101', name],
  ['Name', name],
  ['name_id', name],
  ['Price list', year],
  ['103', year],
  ['104', twinA],
  ['day', twinB],
])('%j names one part', (text, part) => expect(findPart(parts, text)).toBe(part));

it('a text that matches the same part twice is unambiguous', () => {
  const same = makePart('textbox', { id: '9', name: '9', identifier: '9' });
  expect(findPart([same], '9')).toBe(same);
});

test.each([
  ['Day', '"Day" fits 2 parts: "Day" (ID 104), "Day" (ID 105)'],
  ['102', '"102" fits 2 parts: "Price" (ID 102), "102" (ID 103)'],
])('%j is refused, because it matches two parts', (text, message) => {
  const refusal = refusalOf(() => findPart(parts, text));
  expect(refusal.message).toBe(message);
});

test.each([
  ['Nmae', 'Name'],
  ['price_', 'Price'],
  ['name_di', 'name_id'],
  ['something else', null],
  ['', null],
  ['__proto__', null],
])('%j names no part and suggests %j', (text, suggestion) => {
  const refusal = refusalOf(() => findPart(parts, text));
  expect(suggestionIn(refusal)).toBe(suggestion);
  expect(refusal.message).toBe(`There is no part ${JSON.stringify(text)}`);
  expect(refusal.description).toContain('The parts are: Name, Price, 102, Day.');
});

it('says so if there are no parts', () => {
  expect(refusalOf(() => findPart([], 'x')).description).toBe('There are no parts here.');
});

it('an empty identifier names nothing', () => {
  refusalOf(() => findPart([makePart('textbox', { name: '' })], ''));
});

test.each([
  ["one of a read's output in this mode", '102', 'name', [year]],
  ["one of a read's output in this mode", 'day', 'identifier', [twinB]],
  ['any text that names a part', '101', 'name', [name]],
  ['any text that names a part', 'name_id', 'name', [name]],
  ['any text that names a part', 'Name', 'identifier', [name]],
  ['several that the service could not distinguish', 'Day', 'name', [twinA, twinB]],
  ['none', 'nothing', 'identifier', []],
] as const)('the key of an item is %s: %s by %s', (_, key, mode, fits) =>
  expect(partsKeyed(parts, key, mode)).toEqual(fits),
);

describe("the record's own id", () => {
  const own = makePart('id', { id: '1', name: 'ID', system: true });
  const foreign = makePart('id', { id: '107', name: 'Customer ID', reference: true, system: true });
  const extra = makePart('id', { id: '108', name: 'Number' });

  it('is the part of type id that is not a reference, and of several the system part', () => {
    for (const list of [[own], [foreign, own], [extra, own, foreign], [extra, own]])
      expect(listedIdPart(list, 'name')).toBe(own);
    expect(listedIdPart([foreign, extra], 'name')).toBe(extra);
    expect(ownIdPart([extra, own])).toBe(own);
  });

  it('is refused if none or several match', () => {
    for (const list of [
      [],
      [foreign],
      [name],
      [extra, { ...extra, id: '109' }],
      [own, { ...own, id: '2' }],
    ]) {
      expect(refusalOf(() => listedIdPart(list, 'name'))).toBeInstanceOf(UserError);
      expect(ownIdPart(list)).toBeNull();
    }
    expect(refusalOf(() => listedIdPart([own, { ...own, id: '2' }], 'name')).message).toBe(
      'Several parts could be the record\'s id: "ID" (ID 1), "ID" (ID 2)',
    );
  });

  it('is missing from lists in identifier mode if it has no identifier', () => {
    expect(listedIdPart([own], 'name')).toBe(own);
    expect(listedIdPart([{ ...own, identifier: 'id' }], 'identifier')).toMatchObject({ id: '1' });
    const refusal = refusalOf(() => listedIdPart([own], 'identifier'));
    expect(refusal.message).toContain('has no part identifier');
    expect(refusal.description).toBe("Give the ID part an identifier in the application's settings.");
  });
});
