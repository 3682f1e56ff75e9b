import { useCredentialPlace } from './support/credentialPlace';
import { selfSigned } from './support/otherServer';

/** The messages of the credential test about http, https and certificates. */
const place = useCredentialPlace();

test('an address without https is reported as such', async () => {
  const { host } = new URL(place.sandbox.baseUrl);
  const message = await place.failure({ baseUrl: `https://${host}/cgi-bin/dneo` });
  expect(message).toContain(`This address does not speak https; try http://${host}/cgi-bin/dneo/`);
  expect(message).not.toMatch(/certificate|SSL/);
});

describe('an address that accepts https only', () => {
  test('is a guess if it closes the connection, and it receives no key', async () => {
    const server = await place.other({}, selfSigned());
    const { host } = new URL(server.origin);

    const message = await place.failure({ baseUrl: `http://${host}/cgi-bin/dneo` });

    expect(message).toContain('the address may speak https only: start the base URL with https://');
    expect(server.seen).toEqual([]);
  });

  test.each([
    '<html><center>The plain HTTP request was sent to HTTPS port</center></html>',
    'Client sent an HTTP request to an HTTPS server.\n',
    "<p>Reason: You're speaking plain HTTP to an SSL-enabled server port.</p>",
    'Bad Request\nThis combination of host and port requires TLS.\n',
  ])('is reported as such by its own words (%#)', async (body) => {
    const server = await place.other({ status: 400, body, headers: { 'content-type': 'text/html' } });
    const { host } = new URL(server.origin);

    expect(await place.failure({ baseUrl: `${server.origin}/dneo/dneo.cgi` })).toContain(
      `This address speaks https; try https://${host}/dneo/`,
    );
  });
});

describe('a certificate that is not trusted', () => {
  test('is named, and accepted once the option is on', async () => {
    const server = await place.other({}, selfSigned());
    const message = await place.failure({ baseUrl: server.origin });
    expect(message).toMatch(
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted \(\w*SELF_SIGNED\w*\)/,
    );
    expect(message).toMatch(/Ignore SSL Issues/);
    expect(server.seen).toEqual([]);

    expect((await place.test({ baseUrl: server.origin, allowUnauthorizedCerts: true })).status).toBe('OK');
    expect(server.seen).toHaveLength(1);
  });
});
