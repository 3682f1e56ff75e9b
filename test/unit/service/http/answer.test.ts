import {
  type Asked,
  readAnswer,
  readRetryAfter,
} from '../../../../nodes/ApplicationDataService/service/http/answer';
import type { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';

const ASKED: Asked = { action: 'get_app', address: 'https://host.example/x/appsr.cgi', keyWorks: false };

const failureOf = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  keyWorks = false,
): ServiceError => {
  try {
    readAnswer({ status, body, headers }, { ...ASKED, keyWorks });
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('The answer was taken for a success');
};

describe('readAnswer', () => {
  it('returns the keys of a successful answer', () => {
    expect(
      readAnswer({ status: 200, headers: {}, body: { status: 'ok', allcnt: '3' } }, ASKED),
    ).toMatchObject({ allcnt: '3' });
  });

  test.each<[string, number, object, string, object]>([
    [
      "the service's own words, without the severity letter",
      200,
      { errorno: -10008, errormessage: 'W:You have no right to this application. [W10008]', errmsgadd: '' },
      'The service refused: You have no right to this application. [W10008]',
      { errorNumber: -10008, status: 200 },
    ],
    [
      'the part at fault',
      200,
      { errorno: '-5', errormessage: 'E:Not a number', errmsgadd: '{{Price}}' },
      'The service refused: Not a number (part "Price")',
      { errorNumber: -5, partKey: 'Price', status: 200 },
    ],
    ['no words', 200, {}, 'The service refused: it gave no reason', { status: 200 }],
    [
      'a number alone',
      200,
      { errorno: -7 },
      'The service refused: error -7',
      { errorNumber: -7, status: 200 },
    ],
    ['an HTTP error', 400, { errormessage: 'bad' }, 'The service refused: bad', { status: 400 }],
  ])('a refusal with %s', (_, status, body, message, details) => {
    expect(failureOf(status, { status: 'ng', ...body })).toMatchObject({ kind: 'refused', message, details });
  });

  it.each<[object, string]>([
    [{ errorno: '-5', errormessage: 'E:bad' }, ' Error number -5.'],
    [{ errorno: '-5', errormessage: 'E:bad (5)' }, ''],
    [{ errorno: -7 }, ''],
  ])('the number of %j is told once', (body, words) => {
    const advice = 'If these words do not help, ask the administrator of the service.';
    expect(failureOf(200, { status: 'ng', ...body }).description).toBe(`${advice}${words}`);
  });

  it.each([
    ['see the manual', 'see the manual. Error number -5.'],
    ['See the manual.', 'See the manual. Error number -5.'],
    ['説明書を参照。', '説明書を参照。 Error number -5.'],
  ])('what the service adds, "%s", ends before the number', (errmsgadd, words) => {
    const body = { status: 'ng', errorno: '-5', errormessage: 'E:bad', errmsgadd };
    expect(failureOf(200, body).description).toBe(words);
  });

  it.each([
    ['https://new.example/dneo/', /Enter the new address as the base URL: https:\/\/new\.example\/dneo\/$/],
    ['//new.example/dneo/', /Enter the new address as the base URL: \/\/new\.example/],
    ['/login?next=%2F', /on the same host to "\/login\?next=%2F", as to a login page: check the access key/],
    ['login.cgi', /on the same host to "login\.cgi"/],
    ['', /on the same host, as to a login page/],
  ])('a redirect to "%s" gives advice that can be followed', (location, advice) => {
    expect(failureOf(302, '', { location }).description).toMatch(advice);
  });

  test.each<[string, number, unknown, string, RegExp]>([
    ['a refused key', 401, '', 'unauthorized', /did not accept the access key/],
    ['a forbidden key', 403, '<html>forbidden</html>', 'unauthorized', /did not accept the access key/],
    [
      'a refused key with words',
      401,
      { status: 'ng', errormessage: 'W:Key expired' },
      'unauthorized',
      /Key expired/,
    ],
    [
      'a wrong path',
      404,
      '<html>Not found</html>',
      'wrongAddress',
      /no application-data service at https:\/\/host\.example\/x\/appsr\.cgi \(HTTP 404\)/,
    ],
    ['a redirect', 302, '', 'redirect', /redirects to another address/],
    ['a redirect with words', 302, { status: 'ng' }, 'redirect', /redirects to another address/],
    ['a redirect that claims success', 302, { status: 'ok' }, 'redirect', /redirects to another address/],
    ['a gateway', 502, '<html>', 'busy', /busy/],
    ['a login page', 200, '<!DOCTYPE html><form><input type="password"></form>', 'loginPage', /login page/],
    ['a Japanese login page', 200, '<html><title>ログイン</title>', 'loginPage', /login page/],
    [
      'any other page',
      200,
      '\n <html><h1>It works</h1>',
      'wrongAddress',
      /web page answered at https:\/\/host\.example\/x\/appsr\.cgi/,
    ],
    ['a failure', 500, 'oops', 'badAnswer', /HTTP 500/],
    ['a failure shown as a page', 500, '<html><h1>Internal error</h1>', 'badAnswer', /HTTP 500/],
    ['cut JSON', 200, '{"status":"ok","li', 'badAnswer', /incomplete or unreadable/],
    ['nothing', 200, '', 'badAnswer', /incomplete or unreadable/],
    ['an array', 200, [], 'badAnswer', /incomplete or unreadable/],
    ['an object without status', 200, {}, 'badAnswer', /incomplete or unreadable/],
    ['a success with an HTTP error', 500, { status: 'ok' }, 'badAnswer', /HTTP 500/],
  ])('%s has its own sentence', (_, status, body, kind, words) => {
    const failure = failureOf(status, body);
    expect([failure.kind, failure.message]).toEqual([kind, expect.stringMatching(words)]);
    expect(failure.description).not.toBe('');
  });

  test.each([
    // HTTP status, kind at first, kind where the key has worked
    [400, 'refused', 'refused'],
    [404, 'wrongAddress', 'refused'],
    [405, 'wrongAddress', 'refused'],
    [408, 'refused', 'refused'],
    [409, 'refused', 'refused'],
    [413, 'refused', 'refused'],
    [401, 'unauthorized', 'unauthorized'],
    [403, 'unauthorized', 'unauthorized'],
    [407, 'unreachable', 'unreachable'],
    [500, 'badAnswer', 'badAnswer'],
    [503, 'busy', 'busy'],
  ])('HTTP %i with a page is "%s", and "%s" where the key has worked', (status, first, later) => {
    const kinds = [false, true].map((works) => failureOf(status, '<html>No</html>', {}, works).kind);
    expect(kinds).toEqual([first, later]);
  });

  test('HTTP 403 with a page for a key that has worked: a filter, or the key', () => {
    const { message, description } = failureOf(403, '<html>Blocked</html>', {}, true);
    expect(message).toMatch(/a web filter or firewall has refused this request, or the key is no longer/);
    expect(description).toMatch(/what a filter finds in this one\. If none works: Check the access key/);
  });

  test.each([['<html>'], [{ status: 'ng', errormessage: 'x' }]])(
    'HTTP 407 is a proxy that wants a login, whatever its body: %j',
    (body) => {
      const { kind, message, details } = failureOf(407, body, {}, true);
      expect([kind, details.isLasting]).toEqual(['unreachable', true]);
      expect(message).toBe(
        'A proxy between n8n and the service asks for a user name and a password (HTTP 407)',
      );
    },
  );

  test.each([401, 403])('HTTP %i for a key that has worked: it may have expired', (status) => {
    const { message, description } = failureOf(status, '', {}, true);
    expect(message).toContain('it has worked before and may have expired');
    expect(description).toContain('keys of the login interface last three days');
  });

  test.each(['Basic realm="intranet"', 'basic', 'Negotiate, NTLM, Basic realm="x"'])(
    "HTTP 401 with the challenge %s is the web server's",
    (challenge) => {
      const headers = { 'www-authenticate': challenge };
      for (const body of ['<html>401</html>', { status: 'ng', errormessage: 'W:No' }]) {
        const failure = failureOf(401, body, headers, true);
        expect(failure.kind).toBe('unauthorized');
        expect(failure.message).toContain('asks for a user name and a password of its own');
        expect(failure.description).toContain('Web Server User');
      }
      expect(failureOf(401, '', { 'www-authenticate': 'Negotiate' }).message).not.toContain('web server');
    },
  );

  it('cuts the words of the service to 1,000 characters, whatever they are', () => {
    const long = '{{'.repeat(50_000);
    const answers = [
      { status: 'ng', errormessage: long },
      { status: 'ng', errormessage: 'no', errmsgadd: long },
      { status: 'ng', errorno: '1'.repeat(100_000) },
    ];
    const begun = performance.now();
    for (const answer of answers) {
      const { message, description } = failureOf(200, answer);
      expect(message.length + description.length).toBeLessThan(2200);
    }
    expect(failureOf(302, '', { location: `//${long}` }).description.length).toBeLessThan(1200);
    expect(performance.now() - begun).toBeLessThan(100);
  });

  it('returns how long the service asks to wait', () => {
    expect(failureOf(503, '', { 'retry-after': '7' }).details.retryAfterMs).toBe(7000);
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['1.5', 1500],
  ['10, 10', 10_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 8000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(readRetryAfter(header, 2000)).toBe(expected);
});
