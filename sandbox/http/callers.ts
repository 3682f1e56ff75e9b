import type { FastifyRequest } from 'fastify';

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * Hosts that no web page of another address can make a browser use: IP addresses, names without a dot (of a container,
 * say) and names of the endings that public DNS never has.
 */
const privateHost =
  /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]|[\w-]+|[\w.-]+\.(internal|local|localhost|test))(:\d+)?$/i;

/** Whether a request comes from this machine, and not from a web page of another address in a browser on it. */
export function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)) return false;
  return loopbackHost.test(headers.host ?? '') && hasOwnOrigin({ headers });
}

/**
 * Whether a request is a program's, or the sandbox's own page's. The first access key is published, so any web page
 * that a person opens could call the service otherwise: with a foreign `Origin`, or by a name of its own that DNS leads
 * to this machine.
 */
export function isOwn({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return privateHost.test(headers.host ?? '') && hasOwnOrigin({ headers });
}

function hasOwnOrigin({ headers: { origin, host } }: Pick<FastifyRequest, 'headers'>): boolean {
  return origin === undefined || origin === `http://${host}`;
}
