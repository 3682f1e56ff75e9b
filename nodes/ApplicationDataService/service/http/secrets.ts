const MASK = '***';

const MAX_SECRETS = 100;

/** A shorter secret could be a piece of any word: it is masked where it stands by itself. */
const MIN_LENGTH = 8;

/** What to mask, by the secret: the forms in which it may be repeated. The latest secret is the last. */
const known = new Map<string, readonly RegExp[]>();

/** Remembers a secret of a credential, so that nothing that a node says holds it. */
export function keepSecret(secret: string): void {
  if (secret === '') return;
  const forms = known.get(secret) ?? formsOf(secret).map(toPattern);
  known.delete(secret);
  known.set(secret, forms);
  const [oldest] = known.keys();
  if (known.size > MAX_SECRETS && oldest !== undefined) known.delete(oldest);
}

/** As it is, percent-encoded (as in a path and as in a form), and in base64. */
function formsOf(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  const forms = new Set([secret, encodeURIComponent(secret), form, base64, encodeURIComponent(base64)]);
  return [...forms].sort((one, other) => other.length - one.length);
}

/** Percent-encoded characters are written with large or with small letters. */
function toPattern(form: string): RegExp {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const text = literal.replaceAll(/%[0-9A-F]{2}/g, (code) => `(?:${code}|${code.toLowerCase()})`);
  return form.length < MIN_LENGTH
    ? new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'gu')
    : new RegExp(text, 'g');
}

/**
 * A message, a hint, a line of a report or of a log without the secrets of this process. Never for what is used in a
 * request, compared, chosen from, or output as a value.
 */
export function mask(text: string): string {
  if (known.size === 0) return text;
  let masked = text;
  for (const forms of known.values()) for (const form of forms) masked = masked.replaceAll(form, MASK);
  return masked;
}
