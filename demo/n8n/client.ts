import { randomUUID } from 'node:crypto';

/** A request that n8n refused. */
export class N8nRefusal extends Error {
  readonly status: number;

  constructor(request: string, status: number, body: string) {
    super(`n8n answered ${request} with ${status}: ${body}`);
    this.status = status;
  }
}

/** n8n's own REST interface, as its editor uses it: with a cookie, and always the same browser id. */
export class N8nClient {
  readonly #url: string;
  readonly #browserId = randomUUID();
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * @returns the answer's `data`
   * @throws N8nRefusal if the status is not 2xx
   */
  async request(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/rest/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'browser-id': this.#browserId, cookie: this.#cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(`${method} ${path}`, response.status, text);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) this.#cookie = cookies.join('; ');
    return (JSON.parse(text) as { data: unknown }).data;
  }
}
