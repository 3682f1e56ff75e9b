import { makePart, readVal, refusalOf, write } from '../support/parts';

const part = makePart('files', { id: '120', name: 'Papers' });
const item = {
  id: 77,
  attachdisp: 'a.pdf',
  mimetype: 'application/pdf',
  url: 'https://example.com/appsuite.cgi?action=download_data_file&app_id=1&field_id=120&id=184',
  size: '1,234',
};
const file = { id: '77', name: 'a.pdf', mimeType: 'application/pdf', url: item.url, size: 1234 };

test.each([
  [{ attach: { item: [item, item] } }, [file, file]],
  [{ attach: { item } }, [file]],
  [{ attach: { item: [] } }, []],
  [{ attach: { item: '' } }, []],
  [
    [item, item],
    [file, file],
  ],
  [{ item: [item] }, [file]],
  [{ attach: '' }, []],
  [{ attach: null }, []],
  [{}, []],
  ['', []],
  [{ attach: { item: [{ id: '1' }] } }, [{ id: '1', name: '', mimeType: '', url: '', size: null }]],
])('reads %j', (val, value) => expect(readVal(part, val)).toEqual(value));

test.each([null, '', ' ', [], '[]', {}, '{}'].map((value) => [value]))('%j changes nothing', (value) =>
  expect(write(part, value)).toEqual({ kind: 'keep' }),
);

test.each<[unknown, number]>([
  [[file], 1],
  [[file, { ...file, binary: 'x' }], 2],
  [JSON.stringify([file]), 1],
])('%j changes nothing, and counts what was read', (value, count) =>
  expect(write(part, value)).toEqual({ kind: 'keep', files: count }),
);

test.each([
  ['data', ['data'], []],
  ['data, photo', ['data', 'photo'], []],
  ['data,,data', ['data'], []],
  [['data', 'photo'], ['data', 'photo'], []],
  ['["data"]', ['data'], []],
  [{ add: ['data'], remove: ['77'] }, ['data'], ['77']],
  [{ add: 'data, photo' }, ['data', 'photo'], []],
  [{ remove: '77, 78' }, [], ['77', '78']],
  [{ remove: 77 }, [], ['77']],
  [{ remove: [77, '78'] }, [], ['77', '78']],
  [{ remove: [file] }, [], ['77']],
  ['{"add": ["data"], "remove": ["77"]}', ['data'], ['77']],
])('%j adds %j and removes %j', (value, add, remove) => {
  expect(write(part, value)).toEqual({ kind: 'files', add, remove });
});

const refused = [{ added: ['data'] }, { add: [file] }, { add: [1] }, { add: 1 }, { remove: [{}] }];

test.each([...refused, true, 5, [file, 'data'], [{}], file].map((value) => [value]))(
  'refuses %j',
  (value) => {
    const refusal = refusalOf(() => write(part, value));
    expect(refusal.message).toMatch(/^Part "Papers" \(ID 120\) does not accept .+: it names no files$/);
    expect(refusal.description).toContain('names of binary fields');
  },
);
