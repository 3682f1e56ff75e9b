import { keepSecret, mask } from '../../../../nodes/ApplicationDataService/service/http/credentials';

const KEY = 'Zq7&"<k>/+=%9xYw\\3';
const PASSWORD = 'web server:秘密';

beforeAll(() => {
  keepSecret(KEY);
  keepSecret(PASSWORD);
  keepSecret(`n8n:${PASSWORD}`);
  keepSecret('download-appsuite-7f3a');
  keepSecret('a.bc');
  keepSecret('abc!def*ghi(9)?\u{1f600}');
  keepSecret('token-12');
  keepSecret('token-12-prod-9999');
  keepSecret('12');
  keepSecret('half of a sign: \ud83d');
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['a key as it is', KEY],
  ['percent-encoded, as in a path', encodeURIComponent(KEY)],
  ['percent-encoded, as in a form', new URLSearchParams({ k: KEY }).toString().slice(2)],
  ['percent-encoded in small letters', encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase())],
  ['in base64', base64(KEY)],
  ['in base64 without padding', base64(KEY).replace(/=+$/, '')],
  ['a password', PASSWORD],
  ['a password that is percent-encoded', encodeURIComponent(PASSWORD)],
  ['a password with its user in base64', base64(`n8n:${PASSWORD}`)],
  ['a short key by itself', 'a.bc'],
  ['a key that begins with another one', 'token-12-prod-9999'],
  ['a key in JSON', JSON.stringify(KEY).slice(1, -1)],
  ['signs that need not be encoded', 'abc%21def%2Aghi%289%29%3F%F0%9F%98%80'],
  ['in base64 for addresses', Buffer.from('abc!def*ghi(9)?\u{1f600}').toString('base64url')],
])('%s is masked, wherever it stands in a message', (_, form) => {
  expect(mask(`The key ${form} is wrong: "${form}"`).replaceAll('***=', '***')).toBe(
    'The key *** is wrong: "***"',
  );
});

test.each([
  ['nothing', ''],
  ['what could be any number', 'There is no record 12'],
  ['encoded texts', 'A text of %20 and &amp; and \\u0041'],
  ['a piece of a key', KEY.slice(0, -1)],
  ['words that are pieces of a key', 'download of appsuite.cgi'],
  ['words with a short key in them', 'aa.bc a.bcc axbc'],
])('%s stays as it is', (_, text) => {
  expect(mask(text)).toBe(text);
});

test('only the latest three hundred secrets are kept', () => {
  for (let number = 0; number < 300; number++) keepSecret(`secret-number-${number + 100}`);
  expect(mask(`${KEY} secret-number-100 secret-number-399`)).toBe(`${KEY} *** ***`);
});
