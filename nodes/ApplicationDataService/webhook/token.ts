import { readText } from '../parts/values/wire';

/** The webhook token of a credential; empty if it has none. */
export function readToken(credential: Readonly<Record<string, unknown>>): string {
  return readText(credential.webhookToken).trim();
}

/**
 * Whether a notification carries the token. The time this takes depends on the length of what was sent alone, never on
 * how much of it is right. An empty token matches nothing.
 */
export function isToken(given: unknown, token: string): boolean {
  if (token === '') return false;
  const text = readText(given).trim();
  let difference = text.length ^ token.length;
  for (let index = 0; index < text.length; index++) {
    difference |= text.charCodeAt(index) ^ token.charCodeAt(index % token.length);
  }
  return difference === 0;
}
