const MASK = '***';
/** Those of a hundred credentials: an access key, a password, and the user and password together. */
const MAX_SECRETS = 300;
/** A text that is not longer could be any word or number: it is no secret. */
const MIN_LENGTH = 4;
/** A shorter one is masked where it stands by itself. */
const MIN_LENGTH_WITHIN_WORDS = 8;
const kept = new Set<string>();
let pattern: RegExp | null = null;

export function keepSecret(secret: string): void {
  // Half a character can be sent nowhere.
  if (secret.length < MIN_LENGTH || /\p{Surrogate}/u.test(secret)) return;
  const isNew = !kept.delete(secret);
  kept.add(secret);
  if (!isNew) return;
  const [oldest = secret] = kept;
  if (kept.size > MAX_SECRETS) kept.delete(oldest);
  // The longest first: one secret may begin with another.
  const forms = [...new Set([...kept].flatMap(writtenForms))].sort((one, other) => other.length - one.length);
  pattern = new RegExp(forms.map(patternOf).join('|'), 'gu');
}

/** As it is, in JSON, percent-encoded in all usual ways, and in base64. */
function writtenForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    new URLSearchParams({ '': secret }).toString().slice(1),
    base64,
    encodeURIComponent(base64),
    Buffer.from(secret).toString('base64url'),
  ];
}

function patternOf(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const text = literal.replaceAll(/%[0-9A-F]{2}/g, (code) => `(?:${code}|${code.toLowerCase()})`);
  return form.length < MIN_LENGTH_WITHIN_WORDS ? `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])` : text;
}

/** A text for people, without secrets. Never for what is requested, compared, chosen from, or output as a value. */
export function mask(text: string): string {
  return pattern === null ? text : text.replaceAll(pattern, MASK);
}
