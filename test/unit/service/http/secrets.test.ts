import {
  holdsSecret,
  keepSecret,
  mask,
  maskAddress,
  maskAll,
} from '../../../../nodes/ApplicationDataService/service/http/secrets';

const KEY = 'Zq7&"<k>/+=%9xYw\\3';

beforeAll(() => keepSecret(KEY));

const html = KEY.replaceAll('&', '&amp;')
  .replaceAll('"', '&quot;')
  .replaceAll('<', '&lt;')
  .replaceAll('>', '&gt;');

it.each([
  ['as it is', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['percent-encoded whole', [...KEY].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
  ['HTML-escaped', html],
  ['HTML-escaped by number', [...KEY].map((each) => `&#${each.charCodeAt(0)};`).join('')],
  ['percent-encoded HTML', encodeURIComponent(html)],
  ['as JSON', JSON.stringify(KEY).slice(1, -1)],
  [
    'as JSON by number',
    [...KEY].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['in small letters', KEY.toLowerCase()],
  ['cut at the end', KEY.slice(0, 8)],
  ['cut at the beginning', KEY.slice(-8)],
  ['cut at both ends', KEY.slice(4, 13)],
])('a key is masked %s', (_, form) => {
  expect(mask(`The key ${form} is wrong, ${form}`)).toBe('The key *** is wrong, ***');
  expect(holdsSecret(`x=${form}`)).toBe(true);
});

it('leaves other texts as they are', () => {
  for (const text of ['', 'A text of %20 and &amp; and \\u0041', KEY.slice(0, 7)])
    expect(mask(text)).toBe(text);
});

it('hides a key of another process within words too, unless it is short', () => {
  expect(mask('x=aLongKey12y and aLongKey', 'aLongKey12')).toBe('x=***y and ***');
});

it.each([
  ['n', 'The service did not accept n: "n" is wrong', 'The service did not accept ***: "***" is wrong'],
  ['a.b', 'Key a.b, not axb', 'Key ***, not axb'],
  ['(', 'Key ( is wrong', 'Key *** is wrong'],
  ['鍵', '鍵 は 合鍵 です', '*** は 合鍵 です'],
])('hides the short key %j if it stands by itself', (secret, message, expected) => {
  expect(mask(message, secret)).toBe(expected);
});

it('takes what holds a key out of an address, and leaves the rest as it is', () => {
  const key = encodeURIComponent(KEY);
  expect(maskAddress(`https://host.example/a.cgi?x=%83&t=${key}&n=a%20b#z`)).toBe(
    'https://host.example/a.cgi?x=%83&n=a%20b#z',
  );
  expect(maskAddress('/a.cgi?x=%83')).toBe('/a.cgi?x=%83');
  expect(maskAddress('')).toBe('');
});

it('masks all texts of a value', () => {
  expect(maskAll({ a: [KEY, 1, null], [KEY]: { b: `x ${KEY}` } })).toEqual({
    a: ['***', 1, null],
    '***': { b: 'x ***' },
  });
});
