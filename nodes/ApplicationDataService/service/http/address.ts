import { unusable } from './errors';
import { holdsSecret } from './secrets';

/** The application-data module, unless the credential names another one. */
export const DEFAULT_DATA_MODULE = 'appsr.cgi';

/**
 * The directory of the service's modules, from an address that a person pastes: of a module
 * (`.../dneo.cgi?cmd=...`), of the directory, with or without a slash, query or fragment.
 * @throws UserError when it is no http(s) address.
 */
export function parseBaseUrl(pasted: string): URL {
  const text = pasted.trim();
  const example = 'Enter it as in the browser, for example https://example.com/cgi-bin/dneo/dneo.cgi.';
  if (text === '') throw unusable('The base URL is empty', example);

  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw unusable('The base URL is not a web address', `It must start with https:// or http://. ${example}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw unusable(
      'The base URL contains a user name or password',
      `Remove the name, the password and the @. ${example}`,
    );
  }
  url.search = '';
  url.hash = '';
  url.pathname = directoryOf(url.pathname);
  return url;
}

/**
 * `/cgi-bin/dneo/dneo.cgi` and `/cgi-bin/dneo` are both in `/cgi-bin/dneo/`: a last segment that ends like a program is
 * a module.
 */
function directoryOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const module = segments.findIndex((segment) => /\.(cgi|exe|dll|php)$/i.test(segment));
  const directory = module === -1 ? segments : segments.slice(0, module);
  return directory.length === 0 ? '/' : `/${directory.join('/')}/`;
}

/** Address of the application-data module (`{api_url}` in interface.md). */
export function dataModuleUrl(base: URL, dataModule: string): string {
  const name = dataModule.trim() || DEFAULT_DATA_MODULE;
  if (!/^[\w.-]+$/.test(name)) {
    throw unusable(
      'The data module is not a file name',
      `Enter only the file name of the application-data module, for example ${DEFAULT_DATA_MODULE}.`,
    );
  }
  return new URL(name, base).href;
}

/**
 * Address from which to download an attachment: the file name and query of the `url` from the service, as they are,
 * next to the data module. The host in it is ignored: there may be a proxy in between, and the key goes to the base
 * URL's origin only.
 * @throws UserError if the address has no module and query, or is for anything but a download.
 */
export function downloadUrl(base: URL, given: string): string {
  const [, path = '', query = ''] = /^([^?#]*)\?([^#]+)/.exec(given.replaceAll(/[\t\r\n]/g, '').trim()) ?? [];
  const file = path.split(/[/\\]/).pop() ?? '';
  const actions = query
    .split(/[&;]/)
    .flatMap((each) => /^action=(.*)/is.exec(unescapeAscii(each))?.[1] ?? []);
  if (
    !/^[\w.-]*\w[\w.-]*$/.test(file) ||
    actions.some((action) => !/^download(_\w+)?$/i.test(action.trim()))
  ) {
    throw unusable(
      'The service returned no usable download address for this attachment',
      'The address has no module name or no query, or is for something else than a download. Ask the administrator of the service.',
    );
  }
  // A key among them would end up in logs; ours is in the header.
  const kept = query
    .split('&')
    .filter((each) => !/^access_key=/i.test(unescapeAscii(each)) && !holdsSecret(each));
  return new URL(`${file}?${kept.join('&')}`, base).href;
}

/** Percent-encoded bytes as characters, each by itself: what is no UTF-8 is no error. */
function unescapeAscii(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/**
 * Refuses a request that would send the access key to any other origin than the base URL's.
 * @param target absolute address.
 * @throws UserError if it has a different scheme, host or port, or is not an absolute address.
 */
export function assertOwnOrigin(base: URL, target: string): void {
  const origin = URL.canParse(target) ? new URL(target).origin : 'an unreadable address';
  if (origin === base.origin) return;
  throw unusable(
    `The access key is only sent to ${base.origin}, not to ${origin}`,
    "Use an address on the host of the credential's base URL, or make another credential for the other host.",
  );
}
