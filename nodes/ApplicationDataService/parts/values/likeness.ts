import { canonicalDecimal, plainDecimal } from './decimal';

/** Invisible characters: soft hyphen, zero-width spaces and joiners, byte order mark. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * The same text for texts that look the same to a person: full-width or half-width (NFKC), in upper or lower case, with
 * different spaces, or another form of the same number, e.g. `007`, `7` and `７.0`.
 */
export function likeness(text: string): string {
  const plain = spaced(text);
  const decimal = plainDecimal(plain.replaceAll(' ', ''));
  return decimal === null ? inOneCase(plain) : canonicalDecimal(decimal);
}

/** Most texts: of Latin letters, digits and signs, with single spaces. */
const PLAINEST = /^[!-~]+(?: [!-~]+)*$/;

/** The same, but for numbers, of which only the writing counts: to be looked for in the likeness of a longer text. */
export function textLikeness(text: string): string {
  return inOneCase(spaced(text));
}

function spaced(text: string): string {
  if (PLAINEST.test(text)) return text;
  return text.normalize('NFKC').replace(UNSEEN, '').trim().replace(/\s+/g, ' ');
}

/**
 * Via upper case, which unifies letters with several lower-case forms. A capital sharp s must become a small one first.
 */
function inOneCase(text: string): string {
  if (PLAINEST.test(text)) return text.toLowerCase();
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
