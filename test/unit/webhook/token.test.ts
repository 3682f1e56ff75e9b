import { isToken, readToken } from '../../../nodes/ApplicationDataService/webhook/register';

const TOKEN = 'abcdefgh';

it.each([
  ['the token', 'abcdefgh', true],
  ['with spaces around it', ' abcdefgh ', true],
  ['another of the same length', 'abcdefgH', false],
  ['its beginning', 'abcdefg', false],
  ['a longer text', 'abcdefghi', false],
  ['the token twice', 'abcdefghabcdefgh', false],
  ['nothing', '', false],
  ['no text', undefined, false],
  ['an object', { token: 'abcdefgh' }, false],
])('%s', (_, sent, is) => {
  expect(isToken(sent, TOKEN)).toBe(is);
});

it('a token of digits may be sent as a number', () => {
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

/** The time does not depend on the text: the same characters are compared, whatever differs. */
it('compares every character that was sent, even if the first one is wrong', () => {
  const comparisons = (sent: string): number => {
    let count = 0;
    const original = String.prototype.charCodeAt;
    jest.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, index: number) {
      count++;
      return original.call(this, index);
    });
    isToken(sent, TOKEN);
    jest.restoreAllMocks();
    return count;
  };
  const counts = ['xbcdefgh', 'abcdefgx', 'abcdefgh'].map(comparisons);
  expect(counts).toEqual([16, 16, 16]);
  expect(comparisons('abc')).toBe(comparisons('xyz'));
});
