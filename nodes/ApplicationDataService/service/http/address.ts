import { unusable } from './errors';

export const DEFAULT_DATA_MODULE = 'appsr.cgi';

export const ENTER_BASE_URL =
  'Enter it as in the browser, for example https://example.com/cgi-bin/dneo/dneo.cgi, or without its last part: ' +
  'https://example.com/cgi-bin/dneo.';

/** The directory of the service's modules, from any address in it. @throws ServiceError `settings` if it is none */
export function parseBaseUrl(pasted: string): URL {
  // Signs without width come along when an address is copied.
  const text = pasted.replaceAll(/[\u200b\u2060\ufeff]/g, '').trim();
  if (text === '') throw unusable('The base URL is empty', ENTER_BASE_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    const advice = `It must start with https:// or http://. ${ENTER_BASE_URL}`;
    throw unusable('The base URL is not a web address', advice);
  }
  if (url.username !== '' || url.password !== '')
    throw unusable(
      'The base URL contains a user name or password',
      'Remove the name, the password and the @. If a web server in front of the service asks for them, enter them as Web Server User and Web Server Password.',
    );
  return new URL(directoryOf(url.pathname), url.origin);
}

/** A program or a page. What follows a program in a path is its own. */
const MODULE = /\.(cgi|exe|dll|php|jsp|aspx?|html?)(;|%3f|$)/i;

/** `/cgi-bin/dneo/dneo.cgi`, `/cgi-bin/dneo/dneo.html` and `/cgi-bin/dneo` are all in `/cgi-bin/dneo/`. */
function directoryOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const module = segments.findIndex((segment) => MODULE.test(segment));
  const directory = module === -1 ? segments : segments.slice(0, module);
  return directory.length === 0 ? '/' : `/${directory.join('/')}/`;
}

/** Address of the application-data module (`{api_url}` in interface.md). @throws ServiceError `settings` */
export function dataModuleUrl(base: URL, dataModule: string): string {
  const name = dataModule.trim() || DEFAULT_DATA_MODULE;
  if (isFileName(name)) return new URL(name, base).href;
  throw unusable(
    'The data module is not a file name',
    `Enter only the file name of the application-data module, for example ${DEFAULT_DATA_MODULE}, without a directory.`,
  );
}

/** A name that stays in the directory: not `..`, and without a slash. */
function isFileName(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

/** An attachment's `url` beside the data module: the key goes to the base URL's origin only. @throws ServiceError */
export function downloadUrl(base: URL, given: string): string {
  const [, path = '', query = ''] = /^([^?#]*)\?([^#]+)/.exec(given.trim()) ?? [];
  const file = path.split('/').pop() ?? '';
  if (isFileName(file)) return new URL(`${file}?${query}`, base).href;
  throw unusable(
    'The service returned no usable download address for this attachment',
    'The address has no module name or no query. Ask the administrator of the service.',
  );
}

/** The access key goes to no other scheme, host or port than the base URL's. @throws ServiceError `settings` */
export function assertOwnOrigin(base: URL, target: string): void {
  const origin = URL.canParse(target) ? new URL(target).origin : 'an unreadable address';
  if (origin === base.origin) return;
  throw unusable(
    `The access key is only sent to ${base.origin}, not to ${origin}`,
    "Use an address on the host of the credential's base URL, or make another credential for the other host.",
  );
}
