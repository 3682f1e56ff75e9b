import { ServiceError, withoutSecret } from '../../../../nodes/ApplicationDataService/service/http/errors';

const hidden = (message: string, secret: string): string =>
  withoutSecret(new ServiceError('refused', message, ''), secret).message;

describe('withoutSecret', () => {
  it('hides a key everywhere', () => {
    expect(hidden('Key 4711-key-0815 and x4711-key-0815x', '4711-key-0815')).toBe('Key *** and x***x');
  });

  it.each([
    ['n', 'The service did not accept n: "n" is wrong', 'The service did not accept ***: "***" is wrong'],
    ['a.b', 'Key a.b, not axb', 'Key ***, not axb'],
    ['(', 'Key ( is wrong', 'Key *** is wrong'],
    ['鍵', '鍵 は 合鍵 です', '*** は 合鍵 です'],
  ])('hides the short key %j if it stands by itself', (secret, message, expected) => {
    expect(hidden(message, secret)).toBe(expected);
  });

  it('hides nothing if there is no key', () => {
    expect(hidden('It failed', '')).toBe('It failed');
  });
});
