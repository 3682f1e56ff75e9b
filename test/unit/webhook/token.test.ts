import { isToken, readToken } from '../../../nodes/ApplicationDataService/webhook/token';

const TOKEN = 'abcdefgh';

it.each([
  ['the token', 'abcdefgh', true],
  ['with spaces around it', ' abcdefgh ', true],
  ['another of its length', 'abcdefgH', false],
  ['its beginning', 'abcdefg', false],
  ['more than it', 'abcdefghi', false],
  ['it twice', 'abcdefghabcdefgh', false],
  ['nothing', '', false],
  ['no text', undefined, false],
  ['an object', { token: 'abcdefgh' }, false],
])('%s', (_, given, is) => {
  expect(isToken(given, TOKEN)).toBe(is);
});

it('a token of digits may come as a number', () => {
  expect(isToken(12345, '12345')).toBe(true);
});

it('an empty token matches nothing', () => {
  expect(isToken('', '')).toBe(false);
  expect([readToken({}), readToken({ webhookToken: ' x ' }), readToken({ webhookToken: null })]).toEqual([
    '',
    'x',
    '',
  ]);
});

/** Time by construction: the same characters are looked at, whatever is right of them. */
it('looks at every character that was sent, also when the first is wrong', () => {
  const looked = (given: string): number => {
    let count = 0;
    const original = String.prototype.charCodeAt;
    jest.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, index: number) {
      count++;
      return original.call(this, index);
    });
    isToken(given, TOKEN);
    jest.restoreAllMocks();
    return count;
  };
  const counts = ['xbcdefgh', 'abcdefgx', 'abcdefgh'].map(looked);
  expect(counts).toEqual([16, 16, 16]);
  expect(looked('abc')).toBe(looked('xyz'));
});
