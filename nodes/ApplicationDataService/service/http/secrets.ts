const MASK = '***';

/** A text that repeats so many characters of a key in a row gives it away, also where it is cut. */
const LEAST = 8;

/** Keys of this process, the latest last. Whatever leaves a node holds none of them, whichever credential it is of. */
const known = new Set<string>();
const MOST = 100;

/** One character as addresses, HTML and JSON write it. */
const ENCODED =
  /%([0-9a-f]{2})|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&(amp|lt|gt|quot|apos);|\\u([0-9a-f]{4})|\\([\\"'/])|[^]/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const DEPTH = 3;

/** Remembers a key, so that it is masked wherever something leaves a node. Short ones only `mask` with them in hand. */
export function keepSecret(secret: string): void {
  if (secret.length < LEAST) return;
  known.delete(secret);
  known.add(secret);
  const [oldest] = known;
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
}

/**
 * A text without the keys that it repeats, in any encoding, whole or cut.
 * @param secret a further one; where it is shorter than eight characters, it is hidden as a separate word.
 */
export function mask(text: string, secret = ''): string {
  if (secret !== '' && secret.length < LEAST) {
    const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return mask(text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu'), MASK));
  }
  const hidden = places(text, secret === '' ? [...known] : [...known, secret]);
  if (hidden.size === 0) return text;
  return text.replaceAll(/[^]/g, (sign, index: number) => {
    if (!hidden.has(index)) return sign;
    return hidden.has(index - 1) ? '' : MASK;
  });
}

/** Whether a text repeats a key. */
export function holdsSecret(text: string): boolean {
  return places(text, [...known]).size > 0;
}

/** An address without the parameters that repeat a key; the others as they are. */
export function maskAddress(address: string): string {
  const [, before = address, query = '', fragment = ''] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(address) ?? [];
  const kept = query.split('&').filter((each) => !holdsSecret(each));
  return mask(`${before}${kept.join('&') === '' ? '' : '?'}${kept.join('&')}${fragment}`);
}

/** A copy of a value in which all texts are masked. */
export function maskAll<T>(value: T): T {
  if (typeof value === 'string') return mask(value) as T;
  if (Array.isArray(value)) return value.map(maskAll) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskAll(each)])) as T;
}

function places(text: string, keys: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (text.length < LEAST || keys.length === 0) return found;
  let plain = text;
  // Where each character of the plain text begins in the text.
  let starts = Array.from({ length: text.length + 1 }, (_, index) => index);
  for (let depth = 0; ; depth++) {
    const lower = plain.toLowerCase();
    for (const key of keys) {
      for (let from = 0; from + LEAST <= key.length; from++) {
        const piece = key.slice(from, from + LEAST).toLowerCase();
        for (let at = lower.indexOf(piece); at !== -1; at = lower.indexOf(piece, at + 1))
          for (let index = starts[at]!; index < starts[at + LEAST]!; index++) found.add(index);
      }
    }
    if (depth === DEPTH || !/[%&\\]/.test(plain)) return found;
    const units = [...plain.matchAll(ENCODED)];
    const before = starts;
    starts = [...units.map(({ index }) => before[index]!), text.length];
    const next = units.map(decoded).join('');
    if (next === plain) return found;
    plain = next;
  }
}

function decoded([unit, percent, decimal, hex, name, escape, sign]: RegExpMatchArray): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
  if (sign !== undefined) return sign;
  const code = percent ?? hex ?? escape;
  if (code === undefined && decimal === undefined) return unit;
  return String.fromCharCode(code === undefined ? Number(decimal) : parseInt(code, 16));
}
