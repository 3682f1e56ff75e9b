import type { Demo } from './demo';

export type { CreatedApplication, StoredRecord } from '../../support/sandboxTypes';

/**
 * One call to the service itself, past n8n (interface.md, "Endpoints").
 * @throws Error unless the answer's status is `ok`
 */
export async function callService<T>(
  { baseUrl, accessKey }: Demo['sandbox'],
  action: string,
  parameters: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(`${baseUrl}/appsr.cgi`, {
    method: 'POST',
    headers: { 'X-Service-Auth': accessKey },
    body: new URLSearchParams({ action, ...parameters }),
  });
  const answer = (await response.json()) as T & { status: string };
  if (answer.status !== 'ok') throw new Error(`${action} was answered with ${JSON.stringify(answer)}`);
  return answer;
}

/** One call to the sandbox's control, past the service (docs/sandbox.md, "Control"). */
export async function controlService<T>(
  { controlUrl }: Demo['sandbox'],
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${controlUrl}/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text === '' ? 'null' : text) as T;
}
