import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stands before a service and passes its calls on. */
export interface AlteringProxy {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Stands before a service, and alters its answers.
 * @param baseUrl of the service
 * @param alter is given each answer, and what was called.
 */
export async function startAlteringProxy(
  baseUrl: string,
  alter: (answer: unknown, action: string) => unknown,
): Promise<AlteringProxy> {
  const { origin, pathname } = new URL(baseUrl);
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const body = await text(request);
      const { method = 'POST', headers, url = '/' } = request;
      const passed = Object.entries(headers).filter(([name]) => /^x-|^content-type$/.test(name));
      const answered = await fetch(`${origin}${url}`, {
        method,
        headers: passed as [string, string][],
        body,
      });
      const action = new URLSearchParams(body).get('action') ?? '';
      const answer = alter(await answered.json(), action);
      response.writeHead(answered.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    forward().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    stop: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}
