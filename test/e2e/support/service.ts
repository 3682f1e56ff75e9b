import type { Demo } from './demo';

/**
 * Calls the service directly, without n8n (interface.md, "Endpoints").
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
