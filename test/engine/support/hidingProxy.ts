import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Listed {
  readonly list?: { readonly item?: readonly Record<string, unknown>[] };
}

/**
 * Stands before a service, and takes a part out of all lists: records themselves still show it.
 * @param baseUrl of the service
 */
export async function startHidingProxy(
  baseUrl: string,
  part: string,
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
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
      const answer = (await answered.json()) as Listed;
      if (new URLSearchParams(body).get('action') === 'list_data')
        for (const record of answer.list?.item ?? []) delete record[part];
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
